import { Link } from '@tanstack/react-router'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { StatusIcon } from '../../components/feature/StatusIcon.tsx'
import { Section } from '../../components/Page.tsx'
import { Loaded } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Home.module.css'
import { activeRollouts, describeNextChange } from './rollouts.ts'
import { useActiveFeatures } from './useActiveFeatures.ts'

/** More rollouts than these are counted only. */
const MAX = 6

/** The rollouts under way and ahead in the chosen environment. */
export function ActiveRollouts({ org, project }: { readonly org: string; readonly project: string }) {
  const { environment } = useEnvironment(project)
  const features = useActiveFeatures(project)
  return (
    <Section isPanel title={environment ? `Active rollouts in ${environment.name}` : 'Active rollouts'}>
      <Loaded query={features} title="The rollouts could not be loaded">
        {(list) => {
          const rollouts = activeRollouts(list, environment?._id ?? '', Date.now())
          if (rollouts.length === 0) return <p className={styles.quiet}>No rollout is under way or scheduled.</p>
          return (
            <>
              <ul className={styles.rows}>
                {rollouts.slice(0, MAX).map(({ id, feature, state }) => {
                  const { text, at } = describeNextChange(state)
                  return (
                    <li key={id}>
                      <StatusIcon state={state.startsAt === undefined ? 'partly' : 'scheduled'} share={state.share} />
                      <Link
                        to="/o/$org/p/$project/features/$feature/overview"
                        params={{ org, project, feature: feature.key }}
                        className={styles.grow}
                      >
                        <bdi>{feature.name}</bdi>
                      </Link>
                      <span className={styles.fact}>
                        {text} {at !== undefined && <Time value={new Date(at).toISOString()} />}
                      </span>
                    </li>
                  )
                })}
              </ul>
              {rollouts.length > MAX && <p className={styles.quiet}>and {rollouts.length - MAX} more.</p>}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

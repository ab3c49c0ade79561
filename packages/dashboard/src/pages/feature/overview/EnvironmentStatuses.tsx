import type { Feature } from '@burgee/contract/schemas'
import { useEnvironments } from '../../../api/useEnvironments.ts'
import { useWordContext } from '../../../components/feature/useWordContext.ts'
import { Section } from '../../../components/Page.tsx'
import { Loaded } from '../../../components/States.tsx'
import { EnvironmentRow } from './EnvironmentRow.tsx'
import { KillNotices } from './KillNotices.tsx'
import styles from './Overview.module.css'

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
}

/** The status of a feature in each environment, in words, with its switch. */
export function EnvironmentStatuses({ org, project, feature }: Props) {
  const environments = useEnvironments(project)
  const context = useWordContext(project, feature)
  return (
    <Section isPanel title="Status">
      <Loaded query={environments} title="The environments could not be loaded">
        {(list) => (
          <>
            <div className={styles.kills}>
              <KillNotices feature={feature} environments={list} />
            </div>
            <ul className={styles.statuses}>
              {list.map((environment) => (
                <EnvironmentRow
                  key={environment._id}
                  org={org}
                  project={project}
                  feature={feature}
                  environment={environment}
                  context={context}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  )
}

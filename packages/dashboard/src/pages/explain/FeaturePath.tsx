import type { ExplainedFeature } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import type { ExplainedUser } from '../../parts/explanation/explanationWords.ts'
import type { FormUser } from '../../parts/explanation/parseUser.ts'
import { TargetPath } from '../../parts/explanation/TargetPath.tsx'
import { Loaded, Skeleton } from '../../parts/States.tsx'
import styles from './Explain.module.css'

interface Props {
  readonly project: string
  readonly environment: string
  readonly user: FormUser
  readonly feature: ExplainedFeature
  readonly customProperties: ExplainedUser['customProperties']
}

/** The targets of one feature in the order of evaluation, and the resulting values. */
export function FeaturePath({ project, environment, user, feature: { _id, key }, customProperties }: Props) {
  const { org = '' } = useParams({ strict: false })
  const path = useRead('explain', { params: { project, environment }, body: { user, feature: _id } })
  return (
    <div className={styles.path}>
      <Loaded query={path} title="The path could not be loaded" skeleton={<Skeleton rows={2} height={72} />}>
        {({ features: [feature] }) =>
          feature && (
            <>
              <PathNote feature={feature} />
              {feature.targets && feature.targets.length > 0 && (
                <TargetPath targets={feature.targets} user={user} customProperties={customProperties} />
              )}
              <Values feature={feature} />
            </>
          )
        }
      </Loaded>
      <p>
        <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: key }}>
          Open the feature
        </Link>
      </p>
    </div>
  )
}

/** What the targets do not explain. */
function PathNote({ feature: { outcome, status, targets = [], problem } }: { readonly feature: ExplainedFeature }) {
  if (outcome === 'overridden') {
    return <p className={styles.note}>An override of this user decides. Without it, the evaluation would be:</p>
  }
  if (outcome === 'failed') return <p className={styles.note}>{problem?.message}</p>
  if (outcome === 'disabled') return <p className={styles.note}>Off: the application uses its default values.</p>
  if (outcome === 'served' && status === 'complete') {
    return <p className={styles.note}>The feature is complete, so everyone gets the same variation.</p>
  }
  if (targets.length === 0) return <p className={styles.note}>The feature has no targets, so no user is served.</p>
  if (outcome === 'unserved') {
    return <p className={styles.note}>No target serves the user: the application uses its default values.</p>
  }
  return null
}

function Values({ feature: { variables } }: { readonly feature: ExplainedFeature }) {
  if (variables.length === 0) return null
  return (
    <dl className={styles.values}>
      {variables.map(({ _id, key, value }) => (
        <div key={_id}>
          <dt>
            <code>{key}</code>
          </dt>
          <dd>
            <code>{JSON.stringify(value)}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

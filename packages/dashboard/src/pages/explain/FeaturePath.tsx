import type { ExplainedFeature } from '@burgee/contract/schemas'
import { useRead } from '../../api/query.ts'
import type { ExplainedUser } from '../../components/explanation/explanationWords.ts'
import { TargetPath } from '../../components/explanation/TargetPath.tsx'
import { Loaded, Skeleton } from '../../components/States.tsx'
import styles from './Explain.module.css'
import type { Side } from './side.ts'

interface Props {
  readonly project: string
  readonly side: Side
  /** The id of the feature. */
  readonly feature: string
  readonly customProperties: ExplainedUser['customProperties']
}

/** The targets of one feature in the order of evaluation, and the resulting values. */
export function FeaturePath({ project, side: { user, environment }, feature: id, customProperties }: Props) {
  const path = useRead('explain', { params: { project, environment: environment.key }, body: { user, feature: id } })
  return (
    <div className={styles.path}>
      <Loaded query={path} title="The explanation could not be loaded" skeleton={<Skeleton rows={2} height={72} />}>
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
    </div>
  )
}

/** What the targets do not explain. */
function PathNote({ feature: { outcome, status, targets = [], problem } }: { readonly feature: ExplainedFeature }) {
  if (outcome === 'overridden') {
    return <p>This user has an override. Without it, the evaluation would be:</p>
  }
  if (outcome === 'failed') return <p>{problem?.message}</p>
  if (outcome === 'disabled') return <p>Off: the application uses its default values.</p>
  if (outcome === 'served' && status === 'complete') {
    return <p>The feature is complete, so everyone gets the same variation.</p>
  }
  if (targets.length === 0) return <p>The feature has no targets, so no user is served.</p>
  if (outcome === 'unserved') {
    return <p>No target serves the user: the application uses its default values.</p>
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

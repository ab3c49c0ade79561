import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Protected } from '../../components/Badge.tsx'
import { CheckField } from '../../components/Field.tsx'
import styles from './Create.module.css'

interface Props {
  readonly project: string
  readonly environments: readonly Environment[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  /** What users get where it is on. */
  readonly sentence: string
}

/** Where the feature is on from the start. */
export function EnvironmentChoice({ project, environments, chosen, onChange, sentence }: Props) {
  const reasonFor = useReason(project)
  return (
    <fieldset className={styles.group}>
      <legend>Turn on in</legend>
      {environments.map((environment) => {
        const { _id, key, name } = environment
        const reason = reasonFor(environment)
        return (
          <CheckField
            key={_id}
            label={
              <span className={styles.environment}>
                <bdi>{name}</bdi> {isProtected(environment) && <Protected />}
              </span>
            }
            isChecked={chosen.includes(key)}
            isDisabled={reason !== undefined}
            hint={reason}
            onChange={(isOn) => onChange(isOn ? [...chosen, key] : chosen.filter((each) => each !== key))}
          />
        )
      })}
      <p className={styles.sentence}>
        {chosen.length === 0
          ? 'Off in all environments: applications use their defaults.'
          : `In these environments: ${sentence} Targeting, the next step, narrows this down.`}
      </p>
    </fieldset>
  )
}

/** Returns why a feature cannot be on in an environment from the start; `undefined` if it can. */
function useReason(project: string): (environment: Environment) => string | undefined {
  const cannotPublish = useMissingPermission('feature:publish', project)
  const { data } = useRead('getProject', { params: { key: project } })
  const needsApproval = data?.settings.featureApprovalWorkflow.enabled ?? false
  return (environment) => {
    if (!isProtected(environment)) return undefined
    if (needsApproval) return 'Starts off: changes here require an approval. Turn it on later with a change request.'
    return cannotPublish && `Starts off: turning it on here ${cannotPublish}.`
  }
}

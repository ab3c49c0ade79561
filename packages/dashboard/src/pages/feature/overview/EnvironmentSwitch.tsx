import type { Environment, Feature } from '@burgee/contract/schemas'
import { isProtected, sentences, type WordContext } from '@burgee/contract/words'
import { useState } from 'react'
import { notifyChange } from '../../../actions/featureUndo.ts'
import { ProductionConfirm } from '../../../actions/ProductionConfirm.tsx'
import { ifMatch, useRead, useWrite } from '../../../api/query.ts'
import { usePermission } from '../../../api/session.ts'
import { missingPermission } from '../../../components/access/permissionWords.ts'
import { Switch } from '../../../components/forms/Switch.tsx'
import { describeError } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'
import styles from './Overview.module.css'

type Configuration = Feature['configurations'][number]

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly environment: Environment
  readonly configuration: Configuration
  /** What the environment serves now. */
  readonly lines: readonly string[]
  readonly context: WordContext
}

/** Turns a feature on or off in an environment; asks first if the environment is protected. */
export function EnvironmentSwitch({ project, feature, environment, configuration, lines, context }: Props) {
  const [isAsking, setAsking] = useState(false)
  const write = useWrite('updateFeatureConfiguration')
  const isOn = configuration.status === 'active' && feature.status !== 'archived'
  const status = isOn ? 'inactive' : 'active'
  const verb = isOn ? 'off' : 'on'
  const params = { project, feature: feature.key }
  const reason = useReason(project, feature, environment, configuration)
  const save = () =>
    write.mutate(
      { params, query: { environment: environment.key }, headers: ifMatch(feature), body: { status } },
      {
        onSuccess: (after) => {
          setAsking(false)
          notifyChange({ text: `Turned ${verb} in ${environment.name}`, params, before: feature, after })
        },
        onError: (error) =>
          isProtected(environment) ||
          notify({ text: `Could not turn it ${verb} in ${environment.name}: ${describeError(error)}` })
      }
    )
  const close = () => {
    write.reset()
    setAsking(false)
  }
  return (
    <>
      <span className={styles.switch}>
        <Switch
          label={`On in ${environment.name}`}
          isOn={isOn}
          reason={reason}
          onChange={() => (isProtected(environment) ? setAsking(true) : save())}
        />
        {reason !== undefined && <span className={styles.reason}>{reason}</span>}
      </span>
      <ProductionConfirm
        isOpen={isAsking}
        onClose={close}
        project={project}
        feature={feature}
        environment={environment}
        update={{ configurations: { [environment.key]: { status } } }}
        action={`Turn ${verb} in ${environment.name}`}
        onConfirm={save}
        isBusy={write.isPending}
        error={write.error}
      >
        <dl className={styles.change}>
          <dt>Before</dt>
          <dd>{isOn ? lines.join(' ') : 'Off.'}</dd>
          <dt>After</dt>
          <dd>{isOn ? 'Off.' : sentences({ ...configuration, status: 'active' }, context).join(' ')}</dd>
        </dl>
      </ProductionConfirm>
    </>
  )
}

/** Why the switch cannot be used. */
function useReason(
  project: string,
  { status, readonly }: Feature,
  environment: Environment,
  configuration: Configuration
): string | undefined {
  const settings = useRead('getProject', { params: { key: project } }).data?.settings
  const mayPublish = usePermission('feature:publish', project)
  const approval = settings?.featureApprovalWorkflow
  if (status === 'archived') return 'archived'
  if (readonly || configuration.readonly)
    return missingPermission(isProtected(environment) ? 'feature:publish' : 'feature:write')
  if (isProtected(environment) && approval?.enabled && !(approval.allowPublisherBypass && mayPublish))
    return 'needs approval: request it in Targeting'
  if (configuration.status !== 'active' && configuration.targets.length === 0 && !configuration.hasStaticConfig)
    return 'has no targets yet: add one with Edit'
  return undefined
}

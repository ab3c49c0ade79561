import type { Environment, Feature, StaticConfiguration } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useState } from 'react'
import { ifMatch, useRead, useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Protected } from '../../components/Badge.tsx'
import { Code } from '../../components/Copy.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Switch } from '../../components/forms/Switch.tsx'
import { Banner, ErrorBanner, Loaded } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Targeting.module.css'
import { useTargetingParams } from './useTargeting.ts'

interface Props {
  readonly feature: Feature
  readonly project: string
}

/** What a complete feature serves: the same to everyone, where it is on. It has no targets. */
export function StaticConfigurationForm({ feature, project }: Props) {
  const params = useTargetingParams()
  const query = useRead('getStaticConfiguration', { params })
  const environments = useEnvironments(project).data ?? []
  const cannotWrite = useMissingPermission('feature:write', project)
  const cannotPublish = useMissingPermission('feature:publish', project)
  const { asked, setAsked, isOn, change, update } = useSwitch(query.data)
  const variation = feature.variations.find(({ key }) => key === feature.staticVariation)
  const reasonOf = (environment: Environment) => cannotWrite ?? (isProtected(environment) ? cannotPublish : undefined)
  return (
    <Loaded query={query} title="What the feature serves could not be loaded">
      {({ variables }) => (
        <div className={styles.static}>
          <Banner tone="brand">
            <span>
              This feature is complete: everyone gets {variation ? `“${variation.name}”` : 'the same values'} wherever
              it is on. It no longer has targets.
            </span>
          </Banner>
          {update.error && !asked && <ErrorBanner error={update.error} />}
          <section>
            <h2>Where it is on</h2>
            <dl>
              {environments.map((environment) => (
                <div key={environment._id}>
                  <dt>
                    {environment.name} {isProtected(environment) && <Protected />}
                  </dt>
                  <dd>
                    <Switch
                      label={`The feature in ${environment.name}`}
                      isOn={isOn(environment)}
                      onChange={() => (isProtected(environment) ? setAsked(environment) : change(environment))}
                      reason={reasonOf(environment)}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <Values variables={variables} />
          {asked && (
            <ConfirmDialog
              isOpen
              onClose={() => setAsked(undefined)}
              title={`${isOn(asked) ? 'Turn off' : 'Turn on'} in ${asked.name}?`}
              action={`${isOn(asked) ? 'Turn off' : 'Turn on'} in ${asked.name}`}
              onConfirm={() => change(asked)}
              isBusy={update.isPending}
              error={update.error && <ErrorBanner error={update.error} />}
            >
              <p>
                {isOn(asked)
                  ? `All users of ${asked.name} get the code’s defaults from then on.`
                  : `All users of ${asked.name} get ${variation ? `“${variation.name}”` : 'these values'} from then on.`}
              </p>
            </ConfirmDialog>
          )}
        </div>
      )}
    </Loaded>
  )
}

/** Turns the feature on or off in an environment, if what it serves is still what the person saw. */
function useSwitch(shown: StaticConfiguration | undefined) {
  const params = useTargetingParams()
  const update = useWrite('updateStaticConfiguration')
  const [asked, setAsked] = useState<Environment>()
  const isOn = ({ key }: Environment) => shown?.environments[key]?.status === 'active'
  const change = (environment: Environment) => {
    const status = isOn(environment) ? 'inactive' : 'active'
    update.mutate(
      {
        params,
        body: { environments: { [environment.key]: { status } } },
        headers: shown === undefined ? {} : ifMatch(shown)
      },
      {
        onSuccess: () => {
          setAsked(undefined)
          notify({ text: `Turned ${status === 'active' ? 'on' : 'off'} in ${environment.name}` })
        }
      }
    )
  }
  return { asked, setAsked, isOn, change, update }
}

function Values({ variables }: Pick<StaticConfiguration, 'variables'>) {
  return (
    <section>
      <h2>What everyone gets</h2>
      <dl>
        {Object.entries(variables).map(([key, value]) => (
          <div key={key}>
            <dt>
              <Code>{key}</Code>
            </dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

import type { Comparison, Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Protected } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CheckField, SelectField } from '../../components/Field.tsx'
import { summarizePromotion } from './describe.ts'
import styles from './Promote.module.css'
import type { PromoteSearch } from './search.ts'

interface DestinationsProps {
  readonly projects: readonly { readonly key: string; readonly name: string }[]
  readonly project: string
  /** The other project that features are copied to. */
  readonly into: string | undefined
  readonly sources: readonly Environment[]
  readonly destinations: readonly Environment[]
  readonly from: string
  readonly to: readonly string[]
  readonly onChoose: (changed: PromoteSearch) => void
}

/** From one environment, to one or several others of this or another project. */
export function Destinations(props: DestinationsProps) {
  const { projects, project, into, sources, destinations, from, to, onChoose } = props
  const options = sources.map(({ key, name }) => ({ value: key, label: name }))
  const others = destinations.filter(({ key }) => into !== undefined || key !== from)
  const toggle = (key: string, isChecked: boolean) => {
    const chosen = others.map((other) => other.key).filter((each) => (each === key ? isChecked : to.includes(each)))
    // Without destinations the list stays in the address, so that the default does not come back.
    onChoose({ to: chosen.join(',') || ',' })
  }
  return (
    <div className={styles.ends}>
      <SelectField label="From" value={from} options={options} onChange={(key) => onChoose({ from: key })} />
      {projects.length > 1 && (
        <SelectField
          label="To project"
          value={into ?? project}
          options={projects.map(({ key, name }) => ({
            value: key,
            label: key === project ? `${name} (this project)` : name
          }))}
          onChange={(key) => onChoose({ into: key === project ? undefined : key, to: undefined })}
        />
      )}
      <fieldset className={styles.group}>
        <legend>To environments</legend>
        <div className={styles.checks}>
          {others.map((environment) => (
            <CheckField
              key={environment.key}
              label={
                <span className={styles.side}>
                  {environment.name}
                  {isProtected(environment) && <Protected />}
                </span>
              }
              isChecked={to.includes(environment.key)}
              onChange={(isChecked) => toggle(environment.key, isChecked)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** The most features of a promotion. */
const MAX_FEATURES = 200

interface FeatureChoiceProps {
  /** With the first destination. */
  readonly comparison: Comparison
  /** The names of the features, by key. */
  readonly names: ReadonlyMap<string, string>
  /** The name of another project. */
  readonly destination: string | undefined
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

/** The features that differ, each with what differs, and the chosen ones that do not. */
export function FeatureChoice({ comparison, names, destination, chosen, onChoose }: FeatureChoiceProps) {
  const different = comparison.features.filter(({ status }) => !status.includes(null))
  const absent = comparison.features.filter(({ status }) => status[1] === null).map(({ feature }) => feature)
  const keys = different.map(({ feature }) => feature)
  const equal = chosen.filter((key) => !keys.includes(key) && !absent.includes(key))
  const toggle = (key: string, isChecked: boolean) => {
    onChoose(isChecked ? [...chosen, key] : chosen.filter((each) => each !== key))
  }
  const missing = destination !== undefined && absent.length > 0 && (
    <p className={styles.soft}>
      {destination} lacks {listed(absent)}. A promotion creates no features: create{' '}
      {absent.length === 1 ? 'it' : 'them'} there first, with the same variation keys.
    </p>
  )
  if (keys.length === 0 && equal.length === 0) {
    return (
      <>
        <p className={styles.soft}>Nothing to promote: the features that both have are identical.</p>
        {missing}
      </>
    )
  }
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">Features to promote</legend>
      <div className={styles.features}>
        {different.map((feature) => (
          <CheckField
            key={feature.feature}
            label={<FeatureName name={names.get(feature.feature)} feature={feature.feature} />}
            hint={summarizePromotion(feature)}
            isChecked={chosen.includes(feature.feature)}
            onChange={(isChecked) => toggle(feature.feature, isChecked)}
          />
        ))}
        {equal.map((key) => (
          <CheckField
            key={key}
            label={<FeatureName name={names.get(key)} feature={key} />}
            hint="does not differ"
            isChecked
            onChange={(isChecked) => toggle(key, isChecked)}
          />
        ))}
      </div>
      {keys.length > 1 && (
        <div className={styles.buttons}>
          <Button kind="quiet" onClick={() => onChoose([...equal, ...keys].slice(0, MAX_FEATURES))}>
            {keys.length > MAX_FEATURES ? `Select the first ${MAX_FEATURES}` : `Select all ${keys.length} that differ`}
          </Button>
          {chosen.length > 0 && (
            <Button kind="quiet" onClick={() => onChoose([])}>
              Clear selection
            </Button>
          )}
        </div>
      )}
      {missing}
    </fieldset>
  )
}

function FeatureName({ name, feature }: { readonly name: string | undefined; readonly feature: string }) {
  return (
    <>
      {name !== undefined && <bdi>{name} </bdi>}
      <span className={`${styles.key} ${styles.ownLine}`}>{feature}</span>
    </>
  )
}

/** The most keys that a sentence lists. */
const MAX_LISTED = 5

function listed(keys: readonly string[]): string {
  const rest = keys.length - MAX_LISTED
  return new Intl.ListFormat('en').format([
    ...keys.slice(0, MAX_LISTED).map((key) => `“${key}”`),
    ...(rest > 0 ? [`${rest} more`] : [])
  ])
}

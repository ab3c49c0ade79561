import { useEnvironment } from '../../api/useEnvironment.ts'
import { CheckField, SelectField, TextField } from '../../components/Field.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Explain.module.css'
import type { FeaturePair, Side } from './side.ts'

interface Props {
  readonly project: string
  readonly first: Side
  readonly second: Side | undefined
  readonly pairs: readonly FeaturePair[]
  /** The features that the filters leave. */
  readonly shown: number
  /** The key of the second environment. */
  readonly compare: string | undefined
  readonly onCompare: (environment: string | undefined) => void
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly isOnlyDifferent: boolean
  readonly onOnlyDifferent: (isOnly: boolean) => void
}

/** Where and when the user was evaluated, a second environment, and the filters of the features. */
export function ResultsHead(props: Props) {
  const { project, first, second, pairs, shown, compare, onCompare, search, onSearch } = props
  const { environments } = useEnvironment(project)
  const others = environments.filter(({ key }) => key !== first.environment.key)
  return (
    <>
      <p role="status" className={styles.summary}>
        <Summary first={first} second={second} pairs={pairs} />
        {shown < pairs.length && `, ${shown} shown`} · evaluated <Time value={first.at} />
      </p>
      <div className={styles.filters}>
        <TextField
          type="search"
          label="Search features"
          isLabelHidden
          placeholder="Search name or key"
          value={search}
          onChange={onSearch}
        />
        {others.length > 0 && (
          <SelectField
            label="Compare with another environment"
            isLabelHidden
            value={compare ?? ''}
            options={[
              { value: '', label: compare === undefined ? 'Compare with…' : 'Do not compare environments' },
              ...others.map(({ key, name }) => ({ value: key, label: `Compare with ${name}` }))
            ]}
            onChange={(key) => onCompare(key === '' ? undefined : key)}
          />
        )}
        {second && (
          <CheckField label="Only differences" isChecked={props.isOnlyDifferent} onChange={props.onOnlyDifferent} />
        )}
      </div>
      {shown === 0 && pairs.length > 0 && (
        <p className={styles.soft}>{noneShown(search.trim(), second !== undefined)}</p>
      )}
      {pairs.length === 0 && <p className={styles.soft}>The project has no features yet.</p>}
    </>
  )
}

function Summary({ first, second, pairs }: Pick<Props, 'first' | 'second' | 'pairs'>) {
  const features = pairs.length === 1 ? 'feature' : 'features'
  if (!second) {
    const served = pairs.filter(({ first: { variation } }) => variation).length
    return (
      <>
        In <strong>{first.environment.name}</strong> the user gets a variation of {served} of {pairs.length} {features}
      </>
    )
  }
  const different = pairs.filter(({ isDifferent }) => isDifferent).length
  if (different === 0) return <>Both get the same of all {features}</>
  return (
    <>
      <strong>{different}</strong> of {pairs.length} {features} {different === 1 ? 'differs' : 'differ'}
    </>
  )
}

function noneShown(search: string, isCompared: boolean): string {
  if (search !== '') return `No feature matches “${search}”.`
  return isCompared ? 'No feature differs.' : ''
}

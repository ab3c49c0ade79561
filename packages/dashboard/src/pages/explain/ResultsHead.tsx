import type { Explanation } from '@burgee/contract/schemas'
import type { UseQueryResult } from '@tanstack/react-query'
import { SelectField, TextField } from '../../parts/Field.tsx'
import { ErrorBanner } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import { useEnvironment } from '../../shell/useEnvironment.ts'
import styles from './Explain.module.css'

interface Props {
  readonly project: string
  readonly explanation: Explanation
  /** The key of the second environment. */
  readonly compare: string | undefined
  readonly onCompare: (environment: string | undefined) => void
  readonly comparison: UseQueryResult<Explanation>
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly shown: number
}

/** Where and when the user was evaluated, a second environment, and a search over the features. */
export function ResultsHead({ project, explanation, compare, onCompare, comparison, search, onSearch, shown }: Props) {
  const { environments } = useEnvironment(project)
  const { environment, features, at } = explanation
  const others = environments.filter(({ key }) => key !== environment.key)
  const served = features.filter(({ variation }) => variation).length
  return (
    <>
      <p role="status" className={styles.summary}>
        In <strong>{environment.name}</strong> the user gets a variation of {served} of {features.length}{' '}
        {features.length === 1 ? 'feature' : 'features'}
        {shown < features.length && `, ${shown} shown`} · evaluated <Time value={at} />
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
              { value: '', label: 'Compare with…' },
              ...others.map(({ key, name }) => ({ value: key, label: `Compare with ${name}` }))
            ]}
            onChange={(key) => onCompare(key === '' ? undefined : key)}
          />
        )}
      </div>
      {compare !== undefined && comparison.isError && (
        <ErrorBanner
          title="The other environment could not be evaluated"
          error={comparison.error}
          onRetry={() => void comparison.refetch()}
        />
      )}
      {shown === 0 && features.length > 0 && <p className={styles.soft}>No feature matches “{search.trim()}”.</p>}
      {features.length === 0 && <p className={styles.soft}>The project has no features yet.</p>}
    </>
  )
}

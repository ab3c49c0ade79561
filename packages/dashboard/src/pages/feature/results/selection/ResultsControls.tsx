import type { Feature, Metric } from '@burgee/contract/schemas'
import { useEnvironment } from '../../../../api/useEnvironment.ts'
import { SelectField, TextField } from '../../../../components/Field.tsx'
import styles from '../Results.module.css'
import { Filters } from './Filters.tsx'
import { matchingPreset, presetsOf, type Range } from './range.ts'
import type { ResultsSearch } from './resultsSearch.ts'
import { useResultsSearch } from './useResultsSearch.ts'

interface Props {
  readonly project: string
  readonly feature: Feature
  readonly search: ResultsSearch
  readonly range: Range
  readonly now: number
  /** The metrics of the feature. */
  readonly metrics: readonly Metric[]
}

/** Where, when and against what is measured. The address keeps it. */
export function ResultsControls({ project, feature, search, range, now, metrics }: Props) {
  const { setSearch: set } = useResultsSearch()
  const { environments, environment, choose } = useEnvironment(project)
  const presets = presetsOf(feature.createdAt, now)
  const preset = matchingPreset(range, presets, now)
  const control = search.control ?? (feature.controlVariation || feature.variations[0]?.key) ?? ''
  return (
    <div className={styles.controls}>
      <div className={styles.choices}>
        <SelectField
          label="Environment"
          value={environment?.key ?? ''}
          onChange={choose}
          options={environments.map(({ key, name }) => ({ value: key, label: name }))}
        />
        <SelectField
          label="Range"
          value={preset?.value ?? 'other'}
          onChange={(value) => set({ from: presets.find((one) => one.value === value)?.from, to: undefined })}
          options={[
            ...presets.map(({ value, label }) => ({ value, label })),
            ...(preset ? [] : [{ value: 'other', label: 'Custom range' }])
          ]}
        />
        <TextField
          label="First day"
          type="date"
          value={range.first}
          onChange={(from) => set({ from: from || undefined })}
          error={range.problem?.field === 'from' ? range.problem.text : undefined}
        />
        <TextField
          label="Last day"
          type="date"
          value={range.last}
          onChange={(to) => set({ to: to || undefined })}
          error={range.problem?.field === 'to' ? range.problem.text : undefined}
        />
        <SelectField
          label="Compare with"
          value={control}
          onChange={(value) => set({ control: value === feature.controlVariation ? undefined : value })}
          options={feature.variations.map(({ key, name }) => ({ value: key, label: name }))}
        />
        {metrics.length > 1 && (
          <SelectField
            label="Metric"
            value={search.metric ?? ''}
            onChange={(metric) => set({ metric: metric || undefined })}
            options={[
              { value: '', label: `All ${metrics.length}` },
              ...metrics.map(({ key, name }) => ({ value: key, label: name }))
            ]}
          />
        )}
      </div>
      <p className={styles.note}>
        Days are in UTC. Keep the first day while the experiment runs: another one restarts the analysis.
      </p>
      <Filters project={project} search={search} set={set} />
    </div>
  )
}

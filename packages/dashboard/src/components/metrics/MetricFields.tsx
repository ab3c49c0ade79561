import { issueAt } from '../../api/query.ts'
import { SelectField, TextAreaField, TextField } from '../Field.tsx'
import { KEY_CHARACTERS, toKey } from '../forms/toKey.ts'
import type { MetricForm } from './metricForm.ts'
import { countsFromWords, dimensionWords, optimizeWords } from './metricWords.ts'

interface Props {
  readonly form: MetricForm
  readonly isNew: boolean
  readonly onEdit: (edit: Partial<MetricForm>) => void
  readonly error: Error | null
}

/** What is measured, how, and which direction is better. */
export function MetricFields({ form, isNew, onEdit, error }: Props) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => onEdit({ name })}
        error={issueAt(error, 'name')}
        placeholder="Purchases"
        autoFocus
      />
      <TextField
        label="Key"
        value={form.key ?? toKey(form.name)}
        onChange={(key) => onEdit({ key })}
        isCode
        hint={`Identifies the metric in the API: ${KEY_CHARACTERS}${isNew ? '' : '. Links with the old key no longer work.'}`}
        error={issueAt(error, 'key')}
      />
      <TextField
        label="Event"
        value={form.event}
        onChange={(event) => onEdit({ event })}
        isCode
        placeholder="purchase"
        hint="The name that the application passes to track, with the same spelling."
        error={issueAt(error, 'event')}
      />
      <SelectField
        label="Measure"
        value={form.dimension}
        onChange={(dimension) => onEdit({ dimension })}
        hint={dimensionWords[form.dimension].hint}
        options={entriesOf(dimensionWords).map(([value, { title }]) => ({ value, label: title }))}
      />
      <SelectField
        label="Goal"
        value={form.optimize}
        onChange={(optimize) => onEdit({ optimize })}
        options={entriesOf(optimizeWords).map(([value, words]) => ({
          value,
          label: words.charAt(0).toUpperCase() + words.slice(1)
        }))}
      />
      <SelectField
        label="Count events"
        value={form.countsFrom}
        onChange={(countsFrom) => onEdit({ countsFrom })}
        hint={
          form.countsFrom === 'firstExposure'
            ? 'Earlier events cannot be effects of the variation.'
            : 'Includes events before the first exposure, which dilutes differences.'
        }
        options={entriesOf(countsFromWords).map(([value, label]) => ({ value, label }))}
      />
      <TextAreaField
        label="Description"
        value={form.description}
        onChange={(description) => onEdit({ description })}
        error={issueAt(error, 'description')}
      />
    </>
  )
}

/** The members of a record whose names are known. */
function entriesOf<Name extends string, Value>(record: Readonly<Record<Name, Value>>) {
  // Object.entries widens the names, which the type of the record lists.
  return Object.entries(record) as [Name, Value][]
}

import type { Filter } from '@burgee/core'
import { SelectField } from '../../components/Field.tsx'
import { comparatorChoices, comparatorOf } from '../comparators.ts'
import type { Property } from '../properties.ts'

interface Props {
  readonly filter: Filter
  readonly property: Property
  readonly onChange: (comparator: string) => void
  readonly error: string | undefined
}

/** How a property is compared with the values. */
export function ComparatorField({ filter, property, onChange, error }: Props) {
  const current = comparatorOf(filter)
  const choices = comparatorChoices(property, current)
  if (choices.length === 0) return null
  return (
    <SelectField
      label="Comparison"
      isLabelHidden
      value={current ?? ''}
      options={choices.map(({ comparator, label, isFolded }) => ({
        value: comparator,
        label,
        ...(isFolded ? { group: 'More' } : {})
      }))}
      onChange={onChange}
      error={error}
    />
  )
}

import { useMemo } from 'react'
import type { ConditionMessage } from '../../conditionMessages.ts'
import { type Condition, valueControl, valuesOf, withValues } from '../../conditions.ts'
import { countries, countryName } from '../../countries.ts'
import styles from '../Conditions.module.css'
import { Segments } from '../Segments.tsx'
import { useTree } from '../TreeContext.ts'
import { AudienceDetails } from './AudienceDetails.tsx'
import type { Suggestion } from './suggestions.ts'
import { ValueChips } from './ValueChips.tsx'

interface Props {
  readonly condition: Condition
  readonly messages: readonly ConditionMessage[]
  readonly onChange: (condition: Condition, step?: string) => void
}

const platforms = ['Android', 'Apple', 'C#', 'Go', 'iOS', 'Java', 'NodeJS', 'PHP', 'Python', 'Ruby', 'web']

/** The values of a condition: chips, audiences, true or false, or nothing. */
export function FilterValueField({ condition, messages, onChange }: Props) {
  const { customProperties, audiences } = useTree()
  const { filter } = condition
  const control = valueControl(filter, customProperties)
  const ofAudiences = useMemo(
    () => audiences.map(({ _id, key, name }): Suggestion => ({ value: _id, label: name, detail: key })),
    [audiences]
  )
  const shown = messages.filter(({ member }) => member === 'values')
  const values = valuesOf(filter)
  const set = (next: readonly unknown[]) => onChange(withValues(condition, next))
  switch (control.type) {
    case 'none':
      return shown.map(({ message }) => (
        <p key={message} className={styles.error}>
          {message}
        </p>
      ))
    case 'boolean':
      return (
        <Segments
          label="Value"
          value={String(values[0])}
          options={[
            { value: 'true', label: 'true' },
            { value: 'false', label: 'false' }
          ]}
          onChange={(value) => set([value === 'true'])}
        />
      )
    case 'audiences':
      return (
        <>
          <ValueChips
            label="Audiences"
            valueType="audience"
            values={values}
            onChange={set}
            suggestions={ofAudiences}
            allowsOthers={false}
            nameOf={(value) => audiences.find(({ _id, key }) => _id === value || key === value)?.name ?? String(value)}
            messages={shown}
          />
          <AudienceDetails values={values} />
        </>
      )
    case 'chips': {
      const isCountry = control.valueType === 'country' && /^!?=$/.test(filter.comparator ?? '')
      const choices = control.choices?.map(({ value, label }): Suggestion => ({ value, label, detail: String(value) }))
      const suggestions = isCountry ? countries() : filter.subType === 'platform' ? ofPlatforms : choices
      return (
        <ValueChips
          label="Values"
          valueType={control.valueType}
          values={values}
          onChange={set}
          {...(suggestions ? { suggestions } : {})}
          allowsOthers={!isCountry && control.allowsOthers}
          nameOf={(value) => (isCountry ? countryName(value) : (labelOf(choices, value) ?? String(value)))}
          messages={shown}
        />
      )
    }
  }
}

const ofPlatforms = platforms.map((value): Suggestion => ({ value, label: value }))

function labelOf(choices: readonly Suggestion[] | undefined, value: unknown): string | undefined {
  return choices?.find((choice) => choice.value === value)?.label
}

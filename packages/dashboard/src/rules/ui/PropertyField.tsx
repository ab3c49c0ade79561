import { useState } from 'react'
import { SelectField, TextField } from '../../components/Field.tsx'
import { type Condition, withProperty } from '../conditions.ts'
import { isSameProperty, type Property, propertyChoices, propertyOf } from '../properties.ts'
import styles from './Conditions.module.css'
import { useTree } from './TreeContext.ts'

interface Props {
  readonly condition: Condition
  readonly onChange: (condition: Condition, step?: string) => void
  readonly error: string | undefined
}

const types = [
  { value: 'String', label: 'text' },
  { value: 'Number', label: 'number' },
  { value: 'Boolean', label: 'true or false' }
] as const

/** The subject of a condition: a property of the user, an audience, or everyone. */
export function PropertyField({ condition, onChange, error }: Props) {
  const { customProperties, place } = useTree()
  const choices = propertyChoices(customProperties, place)
  const property = propertyOf(condition.filter)
  const index = property ? choices.findIndex((choice) => isSameProperty(choice.property, property)) : -1
  const isCustom = property?.kind === 'custom'
  const [isUnlisted, setUnlisted] = useState(isCustom && index === -1)
  const isNamed = isCustom && (isUnlisted || index === -1)
  const choose = (value: string) => {
    const choice: Property = choices[Number(value)]?.property ?? { kind: 'custom', dataKey: '', dataKeyType: 'String' }
    setUnlisted(value === 'other')
    onChange(withProperty(condition, choice))
  }
  const options = [
    ...choices.map(({ group, label }, position) => ({ value: String(position), label, group })),
    { value: 'other', label: 'a property that is not listed…', group: 'Other' },
    ...(property ? [] : [{ value: 'unknown', label: condition.filter.type ?? 'unknown', group: 'Other' }])
  ]
  return (
    <div className={styles.property}>
      <SelectField
        label="Property"
        isLabelHidden
        value={isNamed ? 'other' : property ? String(index) : 'unknown'}
        options={options}
        onChange={choose}
        error={isNamed ? undefined : error}
      />
      {isNamed && (
        <div className={styles.unlisted}>
          <TextField
            label="Name of the property"
            isLabelHidden
            isCode
            placeholder="name of the property"
            value={property.dataKey}
            onChange={(dataKey) => onChange({ filter: { ...condition.filter, dataKey } }, 'name')}
            error={error}
          />
          <SelectField
            label="Type of the property"
            isLabelHidden
            value={property.dataKeyType}
            options={types}
            onChange={(dataKeyType) => onChange(withProperty(condition, { ...property, dataKeyType }))}
          />
        </div>
      )}
    </div>
  )
}

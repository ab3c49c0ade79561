import { SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import styles from './Create.module.css'
import { presetOf } from './presets.ts'
import { type FeatureForm, valueText } from './toBody.ts'

interface Props {
  readonly form: FeatureForm
  /** By key of the variation. */
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (key: string, text: string) => void
}

const booleans = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' }
] as const

/** The value that each variation gives. */
export function ValueFields({ form, problems, onChange }: Props) {
  const { valueType } = form
  return (
    <div className={styles.values}>
      {presetOf(form.type).variations.map(({ key, name }) => {
        const text = valueText(form, key)
        const shared = { label: name, error: problems[key], onChange: (value: string) => onChange(key, value) }
        if (valueType === 'Boolean') {
          return <SelectField key={key} {...shared} value={text === 'true' ? 'true' : 'false'} options={booleans} />
        }
        if (valueType === 'JSON') return <TextAreaField key={key} {...shared} value={text} isCode />
        const inputMode = valueType === 'Number' ? 'decimal' : 'text'
        return <TextField key={key} {...shared} value={text} isCode inputMode={inputMode} />
      })}
    </div>
  )
}

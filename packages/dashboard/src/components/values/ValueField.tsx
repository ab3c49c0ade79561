import type { VariableType } from '@burgee/contract/schemas'
import { SelectField, TextAreaField, TextField } from '../Field.tsx'
import { numberWarning } from './valueText.ts'

interface Props {
  readonly label: string
  readonly type: VariableType
  /** As it is typed: `parseValue` reads it. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly hint?: string
  readonly error?: string | undefined
}

/** A value of a variable in a form, by its type. */
export function ValueField({ label, type, text, onChange, hint, error }: Props) {
  const shared = { label, onChange, error, ...(hint ? { hint } : {}) }
  switch (type) {
    case 'Boolean':
      return (
        <SelectField
          {...shared}
          value={text === 'true' ? 'true' : 'false'}
          options={[
            { value: 'false', label: 'false' },
            { value: 'true', label: 'true' }
          ]}
        />
      )
    case 'Number':
      return <TextField {...shared} value={text} isCode inputMode="decimal" hint={numberWarning(text) ?? hint} />
    case 'String':
      return <TextAreaField {...shared} value={text} rows={1} dir="auto" />
    case 'JSON':
      return <TextAreaField {...shared} value={text} isCode rows={4} />
  }
}

/** The text of the value that new variables of a type start with. */
export const startTexts: Readonly<Record<VariableType, string>> = {
  Boolean: 'false',
  String: '',
  Number: '0',
  JSON: '{}'
}

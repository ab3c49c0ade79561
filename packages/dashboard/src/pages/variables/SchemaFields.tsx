import type { VariableType } from '@burgee/contract/schemas'
import { SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import { ValueField } from '../../components/values/ValueField.tsx'
import { PatternTrial } from './PatternTrial.tsx'
import { type SchemaForm, type SchemaKind, schemaKinds } from './schemaForm.ts'

interface Props {
  readonly type: VariableType
  readonly form: SchemaForm
  readonly problems: Partial<Record<keyof SchemaForm, string | undefined>>
  readonly onChange: (form: SchemaForm) => void
}

const words: Readonly<Record<SchemaKind, string>> = {
  none: 'any value of the type',
  enum: 'a value from a list',
  regex: 'text that matches a pattern',
  jsonSchema: 'objects that match a JSON Schema'
}

/** Which values a variable may have. */
export function SchemaFields({ type, form, problems, onChange }: Props) {
  const kinds = schemaKinds[type]
  const set = (change: Partial<SchemaForm>) => onChange({ ...form, ...change })
  if (kinds.length < 2) return null
  return (
    <>
      <SelectField
        label="Allowed values"
        value={form.kind}
        options={kinds.map((value) => ({ value, label: words[value] }))}
        onChange={(kind) => set({ kind })}
      />
      {form.kind === 'enum' && (
        <TextAreaField
          label="List"
          hint="One value per line."
          value={form.choices}
          isCode
          error={problems.choices}
          onChange={(choices) => set({ choices })}
        />
      )}
      {form.kind === 'regex' && (
        <>
          <TextField
            label="Pattern"
            hint="A regular expression in RE2 syntax, such as ^#[0-9a-f]{6}$"
            value={form.pattern}
            isCode
            error={problems.pattern}
            onChange={(pattern) => set({ pattern })}
          />
          <PatternTrial pattern={form.pattern} />
        </>
      )}
      {form.kind === 'jsonSchema' && (
        <TextAreaField
          label="JSON Schema"
          value={form.json}
          isCode
          rows={6}
          error={problems.json}
          onChange={(json) => set({ json })}
        />
      )}
      {form.kind !== 'none' && (
        <>
          <TextField
            label="Help text"
            hint="Explains the valid values to people who change them."
            value={form.description}
            error={problems.description}
            onChange={(description) => set({ description })}
          />
          <ValueField
            label="Initial value of new variations"
            type={type}
            text={form.example}
            error={problems.example}
            onChange={(example) => set({ example })}
          />
        </>
      )}
    </>
  )
}

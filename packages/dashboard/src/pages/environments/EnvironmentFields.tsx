import { issueAt } from '../../api/issues.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import { ColorField } from '../../components/settings/ColorField.tsx'
import styles from './Environments.module.css'
import type { EnvironmentForm } from './settings.ts'
import { environmentTypes } from './types.ts'

const signedUsers = [
  { value: 'off', label: 'Off: user ids are not checked' },
  { value: 'accepted', label: 'Accepted: invalid signatures are rejected' },
  { value: 'required', label: 'Required: missing signatures are rejected too' }
] as const

interface FieldsProps {
  readonly form: EnvironmentForm
  readonly set: (edit: Partial<EnvironmentForm>) => void
}

/** Name, key, description, type and colour of an environment. */
export function IdentityFields({ form, set, error }: FieldsProps & { readonly error: Error | null }) {
  return (
    <>
      <div className={styles.pair}>
        <TextField label="Name" value={form.name} onChange={(name) => set({ name })} error={issueAt(error, 'name')} />
        <TextField
          label="Key"
          value={form.key}
          onChange={(key) => set({ key })}
          isCode
          hint="If you change it, update the programs that use it."
          error={issueAt(error, 'key')}
        />
      </div>
      <TextAreaField
        label="Description"
        rows={2}
        value={form.description}
        onChange={(description) => set({ description })}
        error={issueAt(error, 'description')}
      />
      <div className={styles.pair}>
        <SelectField
          label="Type"
          value={form.type}
          options={environmentTypes}
          onChange={(type) => set({ type })}
          error={issueAt(error, 'type')}
        />
        <ColorField
          label="Colour"
          value={form.color}
          onChange={(color) => set({ color })}
          error={issueAt(error, 'color')}
        />
      </div>
    </>
  )
}

/** How the environment evaluates users of web pages and apps, and what OFREP returns. */
export function EvaluationFields({ form, set }: FieldsProps) {
  return (
    <>
      <SelectField
        label="Signed users"
        value={form.signedUsers}
        options={signedUsers}
        onChange={(chosen) => set({ signedUsers: chosen })}
        hint="Web pages and apps prove the ID of their user with a signature from your server. Start with “accepted”."
      />
      {form.signedUsers === 'required' && (
        <CheckField
          label="Accept anonymous users without a signature"
          isChecked={form.unsignedAnonymousUsers}
          onChange={(unsignedAnonymousUsers) => set({ unsignedAnonymousUsers })}
          hint="Their ID must be a random UUID. Stored data about them is ignored."
        />
      )}
      <CheckField
        label="OFREP returns the value of the off variation for features that are not served"
        isChecked={form.ofrepOffValues}
        onChange={(ofrepOffValues) => set({ ofrepOffValues })}
        hint="Otherwise such responses have no value, and applications use their own default."
      />
    </>
  )
}

import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { issueAt } from '../../api/query.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { TextField } from '../../components/Field.tsx'
import styles from './Explain.module.css'
import { attributes, type CustomRow, type UserForm } from './userForm.ts'

interface Props {
  readonly form: UserForm
  readonly onChange: (form: UserForm) => void
  readonly error: Error | null
  readonly problem: { readonly field?: string; readonly message: string } | undefined
}

/** A field for each attribute that targets can use. */
export function UserFields({ form, onChange, error, problem }: Props) {
  const others = Object.keys(form.rest)
  return (
    <>
      <div className={styles.fields}>
        {attributes.map(({ key, title }) => (
          <div key={key} className={key === 'user_id' || key === 'email' ? styles.whole : undefined}>
            <TextField
              label={title}
              isCode={key === 'user_id'}
              value={form.values[key] ?? ''}
              onChange={(value) => onChange({ ...form, values: { ...form.values, [key]: value } })}
              error={
                (key === (problem?.field ?? 'user_id') ? problem?.message : undefined) ?? issueAt(error, `user.${key}`)
              }
              placeholder={placeholders[key]}
            />
          </div>
        ))}
      </div>
      <CustomFields form={form} onChange={onChange} error={issueAt(error, 'user.customData')} />
      {others.length > 0 && <p className={styles.soft}>Also set, visible as JSON: {others.join(', ')}.</p>}
    </>
  )
}

const placeholders: Readonly<Record<string, string>> = { country: 'CA or Canada', appVersion: '1.2.3' }

interface CustomProps {
  readonly form: UserForm
  readonly onChange: (form: UserForm) => void
  readonly error: string | undefined
}

function CustomFields({ form, onChange, error }: CustomProps) {
  const adder = useRef<HTMLButtonElement>(null)
  const { custom } = form
  const replace = (row: CustomRow) =>
    onChange({ ...form, custom: custom.map((other) => (other.id === row.id ? row : other)) })
  const add = () => {
    const id = Math.max(0, ...custom.map((row) => row.id)) + 1
    onChange({ ...form, custom: [...custom, { id, name: '', value: '' }] })
  }
  const remove = (id: number) => {
    onChange({ ...form, custom: custom.filter((row) => row.id !== id) })
    adder.current?.focus()
  }
  return (
    <fieldset className={styles.custom}>
      <legend>Custom data</legend>
      {custom.map((row, index) => (
        <div key={row.id} className={styles.customRow}>
          <TextField
            label={`Name of custom attribute ${index + 1}`}
            isLabelHidden
            isCode
            placeholder="plan"
            value={row.name}
            autoFocus={row.name === '' && row.value === ''}
            onChange={(name) => replace({ ...row, name })}
          />
          <TextField
            label={`Value of ${row.name || `custom attribute ${index + 1}`}`}
            isLabelHidden
            placeholder="pro"
            value={row.value}
            onChange={(value) => replace({ ...row, value })}
          />
          <IconButton label={`Remove ${row.name || `custom attribute ${index + 1}`}`} onClick={() => remove(row.id)}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {custom.length > 0 && (
        <p className={styles.soft}>
          <code>12</code> is a number, <code>true</code> is true; <code>"12"</code> is text.
        </p>
      )}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button ref={adder} kind="quiet" isFlush icon={<Plus size={16} aria-hidden="true" />} onClick={add}>
          Attribute
        </Button>
      </div>
    </fieldset>
  )
}

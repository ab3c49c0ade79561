import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../../components/Button.tsx'
import { SelectField, TextAreaField, TextField } from '../../../components/Field.tsx'
import styles from './Trusts.module.css'
import type { TypedCondition } from './trustForm.ts'

const ops = [
  { value: 'equals', label: 'is' },
  { value: 'oneOf', label: 'is one of' },
  { value: 'glob', label: 'matches' }
] as const

interface Props {
  readonly conditions: readonly TypedCondition[]
  readonly onChange: (conditions: readonly TypedCondition[]) => void
  readonly error: string | undefined
}

/** The claims that the identity token of a job must have. */
export function ConditionFields({ conditions, onChange, error }: Props) {
  const replace = (index: number, edit: Partial<TypedCondition>) =>
    onChange(conditions.map((condition, other) => (other === index ? { ...condition, ...edit } : condition)))
  return (
    <fieldset className={styles.group}>
      <legend>Conditions on the identity token</legend>
      <p className={styles.soft}>
        All conditions must match. One must identify the repository or project, preferably by its ID, because others can
        reuse a name.
      </p>
      {conditions.map(({ claim, op, text }, index) => {
        const label = `Condition ${index + 1}`
        const value = {
          label: `${label}: value`,
          isLabelHidden: true,
          isCode: true,
          value: text,
          onChange: (next: string) => replace(index, { text: next })
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and hold no state.
          <div key={index} className={styles.condition}>
            <TextField
              label={`${label}: claim`}
              isLabelHidden
              isCode
              value={claim}
              onChange={(next) => replace(index, { claim: next })}
              placeholder="repository_id"
            />
            <SelectField
              label={`${label}: comparison`}
              isLabelHidden
              value={op}
              options={ops}
              onChange={(next) => replace(index, { op: next })}
            />
            {op === 'oneOf' ? (
              <TextAreaField {...value} rows={2} placeholder="one per line" />
            ) : (
              <TextField {...value} placeholder={op === 'glob' ? 'refs/heads/release-*' : undefined} />
            )}
            <IconButton
              label={`Remove ${label.toLowerCase()}`}
              onClick={() => onChange(conditions.filter((_, other) => other !== index))}
            >
              <X size={16} aria-hidden="true" />
            </IconButton>
          </div>
        )
      })}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => onChange([...conditions, { claim: '', op: 'equals', text: '' }])}
        >
          Add a condition
        </Button>
      </div>
    </fieldset>
  )
}

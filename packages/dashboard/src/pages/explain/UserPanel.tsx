import { ApiError } from '@burgee/contract/client'
import { Users, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import type { FormUser } from '../../components/explanation/parseUser.ts'
import { TextAreaField } from '../../components/Field.tsx'
import { isSame } from '../../draft/structure.ts'
import styles from './Explain.module.css'
import { PickUserDialog } from './PickUserDialog.tsx'
import { UserFields } from './UserFields.tsx'
import { emptyUserForm, switchMode, toUserForm, type UserForm, userOf } from './userForm.ts'

interface Props {
  /** "User", or the first or second of two. */
  readonly title: string
  readonly project: string
  readonly environment: string | undefined
  readonly form: UserForm
  /** The user that the results are about. */
  readonly asked: FormUser | undefined
  readonly onChange: (form: UserForm) => void
  readonly onAsk: (form: UserForm, user: FormUser) => void
  readonly error: Error | null
  readonly isBusy: boolean
  /** Whether the panel takes the focus. */
  readonly isNew?: boolean
  /** Removes the user, if there are two. */
  readonly onRemove?: () => void
}

/** The user: picked from recent ones, typed in fields, or pasted as JSON. */
export function UserPanel(props: Props) {
  const { title, project, environment, form, asked, onChange, onAsk, error, isBusy, isNew, onRemove } = props
  const id = useId()
  const [isPicking, setPicking] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const cannotPick = useMissingPermission('feature:write', project)
  const parsed = userOf(form)
  const isAsked = parsed.type === 'user' && asked !== undefined && isSame(parsed.user, asked)
  const problem = isChecked && parsed.type === 'problem' ? parsed : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (parsed.type === 'user') onAsk(form, parsed.user)
  }
  const toggle = () => {
    const next = switchMode(form, form.mode === 'json' ? 'fields' : 'json')
    if (next === form) setChecked(true)
    else onChange(next)
  }
  const pick = (user: FormUser) => {
    onAsk(toUserForm(user, form.mode), user)
    setPicking(false)
  }
  return (
    <section aria-labelledby={id}>
      <form className={styles.panel} onSubmit={submit} noValidate>
        <div className={styles.panelHead}>
          <h2 id={id} ref={isNew ? focusHeading : undefined} tabIndex={-1}>
            {title}
          </h2>
          <span className={styles.panelActions}>
            <Button icon={<Users size={16} aria-hidden="true" />} onClick={() => setPicking(true)} reason={cannotPick}>
              Choose a recent user
            </Button>
            {onRemove && (
              <IconButton label="Remove the second user" onClick={onRemove}>
                <X size={16} aria-hidden="true" />
              </IconButton>
            )}
          </span>
        </div>
        {form.mode === 'json' ? (
          <TextAreaField
            label="User as JSON"
            isCode
            rows={8}
            value={form.json}
            onChange={(json) => onChange({ ...form, json })}
            placeholder={'{\n  "user_id": "ada",\n  "country": "CA"\n}'}
            hint="As SDKs send it, in snake or camel case."
            error={problem?.message ?? (isAsked ? allIssues(error) : undefined)}
          />
        ) : (
          <UserFields form={form} onChange={onChange} error={isAsked ? error : null} problem={problem} />
        )}
        {parsed.type === 'user' && parsed.unused && (
          <p className={styles.soft}>
            Not used: {parsed.unused.join(', ')}. Custom attributes belong in <code>customData</code>.
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Explain
          </Button>
          <Button kind="quiet" onClick={toggle}>
            {form.mode === 'json' ? 'Use fields' : 'Paste JSON'}
          </Button>
          <Button kind="quiet" onClick={() => onChange({ ...emptyUserForm, mode: form.mode })}>
            Clear
          </Button>
        </div>
        {asked && !isAsked && <p className={styles.soft}>The results are for “{asked.user_id}”.</p>}
      </form>
      <PickUserDialog
        project={project}
        environment={environment}
        isOpen={isPicking}
        onClose={() => setPicking(false)}
        onPick={pick}
      />
    </section>
  )
}

function focusHeading(heading: HTMLHeadingElement | null): void {
  heading?.focus()
}

/** All problems of the user in one text, where there is one control for all of it. */
function allIssues(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.issues.length === 0) return undefined
  return error.issues.map(({ message }) => message.replace(/^user\./, '')).join('; ')
}

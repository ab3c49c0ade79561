import { ApiError } from '@burgee/contract/client'
import { type FormEvent, useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { TextField } from '../../components/Field.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { describeError } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Overrides.module.css'

interface Props {
  readonly project: string
  readonly projectName: string
  /** The user ID of the person in the applications, or null. */
  readonly userId: string | null
  /** How many overrides the person has. */
  readonly overrides: number
}

/** The user ID of the person in the applications of a project. Removing it removes all overrides. */
export function ProfileForm({ project, projectName, userId, overrides }: Props) {
  const [text, setText] = useState(userId ?? '')
  const [isAsking, setAsking] = useState(false)
  const update = useWrite('updateUserProfile')
  const next = text.trim()
  const isChanged = next !== (userId ?? '')
  const save = () => {
    const body = { svcUserId: next === '' ? null : next }
    // The promise settles even though the form of another user is there by then.
    void update
      .mutateAsync({ params: { project }, body })
      .then(
        () => notify({ text: next === '' ? 'Removed your user ID' : `Saved your user ID: ${next}` }),
        () => undefined
      )
      .finally(() => setAsking(false))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isChanged || update.isPending) return
    if (next === '' && overrides > 0) setAsking(true)
    else save()
  }
  const count = `${overrides} ${overrides === 1 ? 'override' : 'overrides'}`
  const isTaken = update.error instanceof ApiError && update.error.status === 409
  return (
    <form className={styles.profile} onSubmit={submit} noValidate>
      <div className={styles.user}>
        <TextField
          label="Your user ID"
          isCode
          value={text}
          onChange={setText}
          maxLength={200}
          hint={`The user ID by which the applications of ${projectName} identify you.`}
          error={issueAt(update.error, 'svcUserId') ?? (isTaken ? describeError(update.error) : undefined)}
        />
        <Button
          type="submit"
          kind={isChanged ? 'primary' : 'plain'}
          isBusy={update.isPending}
          reason={isChanged ? undefined : 'there are no changes'}
        >
          Save
        </Button>
      </div>
      {!isTaken && <FormError error={update.error} fields={['svcUserId']} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Remove the user ID?"
        action={`Remove user ID and ${count}`}
        onConfirm={save}
        isBusy={update.isPending}
        isDangerous
      >
        <p>Overrides require a user ID, so {count} of yours will be removed. This cannot be undone.</p>
      </ConfirmDialog>
    </form>
  )
}

import { type FormEvent, useState } from 'react'
import { issueAt } from '../../api/query.ts'
import { usePeopleNames } from '../../parts/Actor.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { CheckField, TextAreaField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import styles from './Requests.module.css'
import type { AnyRequest } from './useRequestActions.ts'

interface Props {
  readonly request: AnyRequest
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onConfirm: (body: { readonly description: string; readonly reviewers: string[] }) => void
  readonly onClose: () => void
}

/** What a draft is for, and who should review it. */
export function SubmitDialog({ request, error, isBusy, onConfirm, onClose }: Props) {
  const names = usePeopleNames()
  const [description, setDescription] = useState(request.description ?? '')
  const [reviewers, setReviewers] = useState<readonly string[]>(request.reviewers.users)
  const others = [...names].filter(([id]) => id !== request._createdBy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onConfirm({ description: description.trim(), reviewers: [...reviewers] })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Request review">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextAreaField
          label="What is this change for?"
          value={description}
          onChange={setDescription}
          error={issueAt(error, 'description')}
          autoFocus
        />
        {others.length > 0 && (
          <fieldset className={styles.people}>
            <legend>Reviewers</legend>
            {others.map(([id, name]) => (
              <CheckField
                key={id}
                label={<bdi>{name}</bdi>}
                isChecked={reviewers.includes(id)}
                onChange={(isChecked) =>
                  setReviewers(isChecked ? [...reviewers, id] : reviewers.filter((one) => one !== id))
                }
              />
            ))}
          </fieldset>
        )}
        <FormError error={error} fields={['description']} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Request review
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

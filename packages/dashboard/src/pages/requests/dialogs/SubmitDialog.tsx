import { type FormEvent, useState } from 'react'
import { issueAt } from '../../../api/query.ts'
import { usePeopleNames } from '../../../components/Actor.tsx'
import { Button } from '../../../components/Button.tsx'
import { Dialog, DialogButtons } from '../../../components/Dialog.tsx'
import { CheckField, TextAreaField } from '../../../components/Field.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import styles from '../Requests.module.css'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** What a draft is for, and who should review it. */
export function SubmitDialog(props: ActionDialogProps) {
  const { request, onClose } = props
  const { submit: send, params, finishWith } = useActionDialog(props)
  const { error } = send
  const isBusy = isUnderWay(send)
  const names = usePeopleNames()
  const [description, setDescription] = useState(request.description ?? '')
  const [reviewers, setReviewers] = useState<readonly string[]>(request.reviewers.users)
  const others = [...names].filter(([id]) => id !== request._createdBy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { description: description.trim(), reviewers: [...reviewers] }
    if (!isBusy) send.mutate({ params, body }, finishWith('Requested a review'))
  }
  return (
    <Dialog isOpen onClose={onClose} title="Request review">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextAreaField
          label="Description (optional)"
          value={description}
          onChange={setDescription}
          error={issueAt(error, 'description')}
          autoFocus
        />
        {others.length > 0 && (
          <fieldset className={styles.people}>
            <legend>Reviewers (optional)</legend>
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

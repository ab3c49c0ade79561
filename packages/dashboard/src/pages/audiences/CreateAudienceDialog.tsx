import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { toKey } from '../../parts/forms/toKey.ts'
import styles from './Audiences.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly org: string
  readonly project: string
}

/** Name and key of a new audience. Its conditions come next, on its page. */
export function CreateAudienceDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New audience">
      <CreateForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function CreateForm({ onClose, org, project }: Omit<Props, 'isOpen'>) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const create = useWrite('createAudience', ['listAudiences'])
  const key = typedKey ?? toKey(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate(
      { params: { project }, body: { name, key, filters: { operator: 'and', filters: [{ type: 'all' }] } } },
      {
        onSuccess: (audience) => {
          onClose()
          void navigate({
            to: '/o/$org/p/$project/audiences/$audience',
            params: { org, project, audience: audience.key }
          })
        }
      }
    )
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField label="Name" value={name} onChange={setName} error={issueAt(create.error, 'name')} autoFocus />
      <TextField
        label="Key"
        value={key}
        onChange={setTypedKey}
        isCode
        hint="Names the audience in the API: a–z, 0–9, “-”, “_” and “.”"
        error={issueAt(create.error, 'key')}
      />
      <p className={styles.soft}>It begins with everybody. You choose who is in it next.</p>
      <FormError error={create.error} fields={['name', 'key']} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          Create audience
        </Button>
      </DialogButtons>
    </form>
  )
}

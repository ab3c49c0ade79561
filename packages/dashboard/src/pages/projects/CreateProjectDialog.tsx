import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt, useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { toKey } from '../../parts/forms/toKey.ts'
import styles from './Projects.module.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly org: string
}

/** Name and key of a new project. The key follows the name until it is typed. */
export function CreateProjectDialog({ isOpen, onClose, org }: Props) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const create = useWrite('createProject')
  const key = typedKey ?? toKey(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate(
      { body: { name, key } },
      {
        onSuccess: (project) => {
          onClose()
          void navigate({ to: '/o/$org/p/$project/start', params: { org, project: project.key } })
        }
      }
    )
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New project">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextField label="Name" value={name} onChange={setName} error={issueAt(create.error, 'name')} autoFocus />
        <TextField
          label="Key"
          value={key}
          onChange={setTypedKey}
          isCode
          hint="Names the project in the API: a–z, 0–9, “-”, “_” and “.”"
          error={issueAt(create.error, 'key')}
        />
        <FormError error={create.error} fields={['name', 'key']} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            Create project
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

import type { Environment } from '@burgee/contract/schemas'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { issueAt } from '../../api/issues.ts'
import { useWrite } from '../../api/query.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../parts/Dialog.tsx'
import { SelectField, TextField } from '../../parts/Field.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { toKey } from '../../parts/forms/toKey.ts'
import styles from './Environments.module.css'
import { environmentTypes } from './types.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Name, key and type of a new environment. Opens its page afterwards. */
export function CreateEnvironmentDialog({ isOpen, onClose }: Props) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [type, setType] = useState<Environment['type']>('development')
  const create = useWrite('createEnvironment')
  const key = typedKey ?? toKey(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate(
      { params: { project }, body: { name, key, type } },
      {
        onSuccess: (made) => {
          onClose()
          void navigate({
            to: '/o/$org/p/$project/environments/$environment',
            params: { org, project, environment: made.key }
          })
        }
      }
    )
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New environment">
      <form onSubmit={submit} className={styles.form} noValidate>
        <TextField label="Name" value={name} onChange={setName} error={issueAt(create.error, 'name')} autoFocus />
        <TextField
          label="Key"
          value={key}
          onChange={setTypedKey}
          isCode
          hint="Names the environment in the API: a–z, 0–9, “-”, “_” and “.”"
          error={issueAt(create.error, 'key')}
        />
        <SelectField
          label="Type"
          value={type}
          options={environmentTypes}
          onChange={setType}
          hint="Changes in protected environments need the permission to publish, and are confirmed."
          error={issueAt(create.error, 'type')}
        />
        <p className={styles.soft}>All features start switched off. One SDK key of each type is made.</p>
        <FormError error={create.error} fields={['name', 'key', 'type']} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            Create environment
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

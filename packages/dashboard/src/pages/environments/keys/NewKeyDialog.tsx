import type { Environment } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { Button } from '../../../parts/Button.tsx'
import { Dialog, DialogButtons } from '../../../parts/Dialog.tsx'
import { FormError } from '../../../parts/forms/FormError.tsx'
import { RestrictionFields } from '../../../parts/keys/RestrictionFields.tsx'
import { restrictionNames, toRestrictions, unrestricted, withoutNull } from '../../../parts/keys/restrictions.ts'
import type { KeyType } from '../../../parts/keys/sdkKeys.ts'
import { notify } from '../../../parts/Toasts.ts'
import styles from './Keys.module.css'

interface Props {
  readonly environment: Environment
  readonly type: KeyType
  readonly onClose: () => void
}

/** Makes a key of one type, with its restrictions. The keys that exist stay valid. */
export function NewKeyDialog({ environment, type, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const [typed, setTyped] = useState(unrestricted)
  const generate = useWrite('generateSdkKeys', ['getEnvironment', 'listEnvironments'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (generate.isPending) return
    generate.mutate(
      {
        params: { project, environment: environment.key },
        body: { [type]: true, ...withoutNull(toRestrictions(typed, type)) }
      },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `A new ${type} key is at the end of the list. The others stay valid until you revoke them.` })
        }
      }
    )
  }
  return (
    <Dialog isOpen onClose={onClose} title={`New ${type} key of ${environment.name}`}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <p>The keys that exist stay valid. Limits can be changed later.</p>
        <RestrictionFields type={type} value={typed} onChange={setTyped} error={generate.error} />
        <FormError error={generate.error} fields={restrictionNames} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={generate.isPending}>
            {`Make ${type} key`}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

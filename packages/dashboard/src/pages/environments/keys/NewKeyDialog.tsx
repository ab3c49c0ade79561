import type { Environment } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { RestrictionFields } from '../../../components/keys/RestrictionFields.tsx'
import { restrictionNames, toRestrictions, unrestricted, withoutNull } from '../../../components/keys/restrictions.ts'
import type { KeyType } from '../../../components/keys/sdkKeys.ts'
import { notify } from '../../../components/Toasts.ts'

interface Props {
  readonly environment: Environment
  readonly type: KeyType
  readonly onClose: () => void
}

/** Creates a key of one type, with its restrictions. Existing keys stay valid. */
export function NewKeyDialog({ environment, type, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const [typed, setTyped] = useState(unrestricted)
  const generate = useWrite('generateSdkKeys', ['getEnvironment', 'listEnvironments'])
  const submit = () => {
    generate.mutate(
      {
        params: { project, environment: environment.key },
        body: { [type]: true, ...withoutNull(toRestrictions(typed, type)) }
      },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Created a ${type} key, the last in the list. The others stay valid until you revoke them.` })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`New ${type} key of ${environment.name}`}
      action={`Create ${type} key`}
      onSubmit={submit}
      isBusy={generate.isPending}
      error={generate.error}
      fields={restrictionNames}
    >
      <p>Existing keys stay valid. You can change the restrictions later.</p>
      <RestrictionFields type={type} value={typed} onChange={setTyped} error={generate.error} />
    </FormDialog>
  )
}

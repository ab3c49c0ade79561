import type { Environment, SdkKey } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../../api/query.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { RestrictionFields } from '../../../components/keys/RestrictionFields.tsx'
import { restrictionNames, toRestrictions, toTyped } from '../../../components/keys/restrictions.ts'
import { type KeyType, keyEnd } from '../../../components/keys/sdkKeys.ts'
import { notify } from '../../../components/Toasts.ts'

interface Props {
  readonly environment: Environment
  readonly type: KeyType
  readonly sdkKey: SdkKey
  readonly onClose: () => void
}

/** Changes the expiry and the networks or origins of a key. */
export function RestrictKeyDialog({ environment, type, sdkKey, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const [typed, setTyped] = useState(() => toTyped(sdkKey))
  const update = useWrite('updateSdkKey', ['getEnvironment', 'listEnvironments'])
  const params = { project, environment: environment.key, key: sdkKey.key }
  const submit = () => {
    update.mutate(
      { params, body: toRestrictions(typed, type) },
      {
        onSuccess: () => {
          onClose()
          notify({
            text: `Saved the restrictions of the key ending in ${keyEnd(sdkKey.key)}`,
            onUndo: () => update.mutate({ params, body: toRestrictions(toTyped(sdkKey), type) })
          })
        }
      }
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Restrictions of the key ending in ${keyEnd(sdkKey.key)}`}
      action="Save restrictions"
      onSubmit={submit}
      isBusy={update.isPending}
      error={update.error}
      fields={restrictionNames}
    >
      <p>Changes take effect immediately, including for open connections.</p>
      <RestrictionFields type={type} value={typed} onChange={setTyped} error={update.error} />
    </FormDialog>
  )
}

import type { Environment, SdkKey } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useWrite } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { type KeyType, keyEnd } from '../../../components/keys/sdkKeys.ts'
import { ErrorBanner } from '../../../components/States.tsx'
import { Day, Time } from '../../../components/Time.tsx'
import { notify } from '../../../components/Toasts.ts'

interface Props {
  readonly environment: Environment
  readonly type: KeyType
  readonly sdkKey: SdkKey
  readonly onClose: () => void
}

/** Asks for the last characters of a key, and ends it. */
export function RevokeKeyDialog({ environment, type, sdkKey, onClose }: Props) {
  const { project = '' } = useParams({ strict: false })
  const revoke = useWrite('invalidateSdkKey', ['getEnvironment', 'listEnvironments'])
  const end = keyEnd(sdkKey.key)
  const confirm = () =>
    revoke.mutate(
      { params: { project, environment: environment.key, key: sdkKey.key } },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Revoked the ${type} key ending in ${end}` })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke the ${type} key ending in ${end}`}
      action="Revoke key"
      typed={end}
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={confirm}
      error={revoke.error && <ErrorBanner error={revoke.error} />}
    >
      <p>
        Applications in <strong>{environment.name}</strong> that still use this key get no further changes, and new ones
        cannot start with it. It was created <Time value={sdkKey.createdAt} />{' '}
        {sdkKey.lastUsedAt ? (
          <>
            and last used <Day value={sdkKey.lastUsedAt} />.
          </>
        ) : (
          'and never used.'
        )}
      </p>
      <p>This cannot be undone. To revoke it later instead, set an expiry under “Restrictions”.</p>
    </ConfirmDialog>
  )
}

import { useState } from 'react'
import type { ActionProps } from '../../../actions/useStatusChange.ts'
import { ifMatch, queryClient, useWrite } from '../../../api/query.ts'
import { refetchAfterWrite } from '../../../api/refetch.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { CheckField } from '../../../components/Field.tsx'
import { useNavigateFromHere } from '../../../components/links/useNavigateFromHere.ts'
import { ErrorBanner } from '../../../components/States.tsx'
import { notify } from '../../../components/Toasts.ts'

/** Asks before a feature is deleted, which cannot be undone. */
export function DeleteDialog({ isOpen, onClose, org, project, feature }: ActionProps & { readonly org: string }) {
  const navigate = useNavigateFromHere()
  const [deletesVariables, setDeletesVariables] = useState(false)
  const remove = useWrite('deleteFeature', ['listFeatures'])
  const close = () => {
    remove.reset()
    onClose()
  }
  const confirm = () =>
    remove.mutate(
      {
        params: { project, feature: feature.key },
        headers: ifMatch(feature),
        query: { deleteVariables: deletesVariables ? 'true' : 'false' }
      },
      {
        onSuccess: async () => {
          notify({ text: `Deleted ${feature.key}` })
          await navigate({ to: '/o/$org/p/$project/features', params: { org, project } })
          queryClient.removeQueries({ queryKey: ['getFeature'] })
          void refetchAfterWrite(queryClient)
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title="Delete this feature"
      action="Delete permanently"
      typed={feature.key}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error && <ErrorBanner error={remove.error} title="Not deleted" />}
      onConfirm={confirm}
    >
      <p>
        <bdi>{feature.name}</bdi> is deleted with its variations, targets, overrides and change requests. This cannot be
        undone.
      </p>
      <CheckField
        label={
          feature.variables.length === 1
            ? 'Also delete its variable'
            : `Also delete its ${feature.variables.length} variables`
        }
        isChecked={deletesVariables}
        onChange={setDeletesVariables}
        hint="Otherwise they remain without a feature, and applications get the code’s default."
      />
    </ConfirmDialog>
  )
}

import { useWrite } from '../../api/query.ts'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { notify } from '../../components/Toasts.ts'
import { useAudienceParams } from './useAudience.ts'

/** Asks before an audience is deleted permanently. */
export function DeleteAudienceDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { org, project, key } = useAudienceParams()
  const navigate = useNavigateFromHere()
  const remove = useWrite('deleteAudience', ['listAudiences'])
  const confirm = () =>
    remove.mutate(
      { params: { project, key } },
      {
        onSuccess: () => {
          notify({ text: `Deleted audience ${key}` })
          void navigate({ to: '/o/$org/p/$project/audiences', params: { org, project } })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this audience?"
      action="Delete the audience"
      onConfirm={confirm}
      isBusy={remove.isPending}
      isDangerous
      typed={key}
      error={<FormError error={remove.error} fields={[]} />}
    >
      <p>This cannot be undone. No feature and no other audience refers to it.</p>
    </ConfirmDialog>
  )
}

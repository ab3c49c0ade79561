import { ActionDialog } from './ActionDialog.tsx'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** Bases a request on the current state of its feature or project. */
export function RebaseDialog(props: ActionDialogProps) {
  const { feature, onRead, onClose } = props
  const { rebase, params, readAgain, finish } = useActionDialog(props)
  const subject = feature ? 'feature' : 'project'
  const confirm = () =>
    rebase.mutate(
      { params },
      {
        onSuccess: async ({ contentHash }) => {
          await readAgain()
          onRead(contentHash)
          finish(`The request is now a draft, based on the current state of the ${subject}`)
        }
      }
    )
  return (
    <ActionDialog
      onClose={onClose}
      title="Update the request"
      action="Update"
      error={rebase.error}
      isBusy={isUnderWay(rebase)}
      onConfirm={confirm}
    >
      <p>The request becomes a draft again, based on the current state of the {subject}, and loses its approvals.</p>
    </ActionDialog>
  )
}

import { ActionDialog } from './ActionDialog.tsx'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** Ends a request without applying it. */
export function CancelDialog(props: ActionDialogProps) {
  const { feature, onClose } = props
  const { cancel, params, finishWith } = useActionDialog(props)
  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel the request"
      action="Cancel the request"
      error={cancel.error}
      isBusy={isUnderWay(cancel)}
      onConfirm={() => cancel.mutate({ params }, finishWith('Cancelled the request'))}
    >
      <p>
        The request ends{feature && ', and the feature can be changed again'}. A cancelled request cannot be opened
        again.
      </p>
    </ActionDialog>
  )
}

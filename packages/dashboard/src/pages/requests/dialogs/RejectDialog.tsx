import { ActionDialog } from './ActionDialog.tsx'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** Rejects a request, with a reason for its author. */
export function RejectDialog(props: ActionDialogProps) {
  const { feature, contentHash, onClose } = props
  const { review, params, finishWith } = useActionDialog(props)
  return (
    <ActionDialog
      onClose={onClose}
      title="Reject"
      action="Reject"
      text={{ label: 'Reason', member: 'comment', hint: 'The author sees it.', min: 1 }}
      error={review.error}
      isBusy={isUnderWay(review)}
      onConfirm={(comment) =>
        review.mutate({ params, body: { action: 'rejected', comment, contentHash } }, finishWith('Rejected'))
      }
    >
      <p>{feature ? 'The feature stays as it is, and can be changed again.' : 'The project stays as it is.'}</p>
    </ActionDialog>
  )
}

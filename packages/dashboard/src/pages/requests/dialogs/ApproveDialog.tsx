import { missingApprovals } from '../../../components/feature/approvers.ts'
import { useRequiredApprovals } from '../../../components/feature/useApprovals.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** Approves a request, and applies it at once if nothing else is missing. */
export function ApproveDialog(props: ActionDialogProps) {
  const { project, request, contentHash, decisions, onClose } = props
  const { approveAndApply } = decisions
  const { review, params, place, finishWith } = useActionDialog(props)
  const required = useRequiredApprovals(project)
  const further = missingApprovals(request, required) - 1
  const more = further === 1 ? '1 more approval' : `${further} more approvals`
  const isApplied = request.status === 'applied'
  const next = further > 0 ? `The request needs ${more}.` : 'Users get the change when it is applied.'
  const approved = isApplied ? 'Approved' : `Approved. ${next}`
  const body = (comment: string) => ({ action: 'approved', comment, contentHash }) as const
  return (
    <ActionDialog
      onClose={onClose}
      title="Approve"
      action="Approve"
      text={{ label: 'Comment (optional)', member: 'comment' }}
      error={review.error}
      isBusy={isUnderWay(review)}
      onConfirm={(comment) => review.mutate({ params, body: body(comment) }, finishWith(approved))}
      {...(approveAndApply && {
        further: {
          action: `Approve and apply in ${place}`,
          reason: approveAndApply.reason,
          onConfirm: (comment) =>
            review.mutate({ params, query: { apply: 'true' }, body: body(comment) }, finishWith('Approved and applied'))
        }
      })}
    >
      <p>
        Your approval covers the content shown on this page.{' '}
        {isApplied ? (
          'The change was applied in an emergency. Nothing changes for users.'
        ) : (
          <>
            {further > 0 && `The request then needs ${more}. `}
            Users of <strong>{place}</strong> get the change when it is applied
            {further > 0 ? ' after that.' : ': now, or later by you or its author.'}
          </>
        )}
      </p>
    </ActionDialog>
  )
}

import type { Feature } from '@burgee/contract/schemas'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApprovalSettings } from '../../parts/feature/useApprovals.ts'
import { notify } from '../../parts/Toasts.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { type Decisions, missingApprovals } from './decisions.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import { SubmitDialog } from './SubmitDialog.tsx'
import { type AnyRequest, useRequestActions } from './useRequestActions.ts'

/** The action whose dialog is open. */
export type OpenAction = Exclude<keyof Decisions, 'approveAndApply'>

interface Props {
  readonly open: OpenAction
  readonly onClose: () => void
  readonly project: string
  /** Absent for a request of the project itself. */
  readonly feature?: Feature | undefined
  readonly request: AnyRequest
  /** The hash of the content that the person read: reviews name it, and the server refuses another one. */
  readonly contentHash: string
  /** Names of the environments that the request changes. */
  readonly environments: readonly string[]
  readonly decisions: Decisions
}

/** The dialog of an action on a request. */
export function ActionDialogs({
  open,
  onClose,
  project,
  feature,
  request,
  contentHash,
  environments,
  decisions
}: Props) {
  const actions = useRequestActions({ isOfProject: feature === undefined })
  const { review, apply, schedule, submit, rebase, cancel, readAgain } = actions
  const required = useApprovalSettings(project)?.requiredApprovals ?? 1
  const params = { project, id: request._id, feature: feature?._id ?? '' }
  const subject = feature ? 'feature' : 'project'
  const done = (text: string) => ({
    onSuccess: async () => {
      await readAgain()
      onClose()
      notify({ text })
    }
  })
  const everywhere = feature ? 'all environments' : 'the project'
  const place = environments.length > 0 ? new Intl.ListFormat('en').format(environments) : everywhere
  const effect = (
    <p>
      Users of <strong>{place}</strong> get the change at once.
    </p>
  )
  const common = { onClose }
  switch (open) {
    case 'approve': {
      const body = (comment: string) => ({ action: 'approved', comment, contentHash }) as const
      const { approveAndApply } = decisions
      const further = missingApprovals(request, required) - 1
      const more = further === 1 ? '1 more approval' : `${further} more approvals`
      return (
        <ActionDialog
          {...common}
          title="Approve"
          action="Approve"
          text={{ label: 'Comment', member: 'comment', hint: 'Optional.' }}
          error={review.error}
          isBusy={isUnderWay(review)}
          onConfirm={(comment) =>
            review.mutate(
              { params, body: body(comment) },
              done(
                further > 0
                  ? `Approved. The request needs ${more}.`
                  : 'Approved. Users get the change when it is applied.'
              )
            )
          }
          {...(approveAndApply && {
            further: {
              action: `Approve and apply in ${place}`,
              reason: approveAndApply.reason,
              onConfirm: (comment) =>
                review.mutate({ params, query: { apply: 'true' }, body: body(comment) }, done('Approved and applied'))
            }
          })}
        >
          <p>
            You approve the content that you have read.{further > 0 && ` The request then needs ${more}.`} Users of{' '}
            <strong>{place}</strong> get the change when it is applied
            {further > 0 ? ' after that.' : ': now, or later by you or its author.'}
          </p>
        </ActionDialog>
      )
    }
    case 'reject':
      return (
        <ActionDialog
          {...common}
          title="Reject"
          action="Reject"
          text={{ label: 'Why?', member: 'comment', hint: 'The author reads this.', min: 1 }}
          error={review.error}
          isBusy={isUnderWay(review)}
          onConfirm={(comment) =>
            review.mutate({ params, body: { action: 'rejected', comment, contentHash } }, done('Rejected'))
          }
        >
          <p>{feature ? 'The feature stays as it is, and can be changed again.' : 'The project stays as it is.'}</p>
        </ActionDialog>
      )
    case 'apply':
      return (
        <ActionDialog
          {...common}
          title="Apply"
          action={`Apply in ${place}`}
          error={apply.error}
          isBusy={isUnderWay(apply)}
          onConfirm={() =>
            apply.mutate(
              { params, body: { action: 'applied', description: request.description ?? '' } },
              done('Applied')
            )
          }
        >
          {effect}
        </ActionDialog>
      )
    case 'bypass': {
      const isEmergency = decisions.bypass?.kind === 'emergency'
      return (
        <ActionDialog
          {...common}
          title="Apply without approval"
          action={`Apply in ${place} without approval`}
          isDangerous
          text={{
            label: 'Why can it not wait for a review?',
            member: isEmergency ? 'emergency.reason' : 'description',
            min: isEmergency ? 10 : 1
          }}
          error={apply.error}
          isBusy={isUnderWay(apply)}
          onConfirm={(reason) =>
            apply.mutate(
              {
                params,
                body: isEmergency
                  ? { action: 'applied', description: request.description ?? '', emergency: { reason } }
                  : { action: 'applied', description: reason }
              },
              done('Applied without approval')
            )
          }
        >
          {effect}
          <p>
            {isEmergency
              ? 'This is for emergencies. The reason is kept in the history and sent to the webhooks of the project.'
              : 'The project allows this to people who may publish. The reason is kept in the history.'}
          </p>
        </ActionDialog>
      )
    }
    case 'cancel':
      return (
        <SimpleDialog
          {...common}
          title="Cancel the request"
          action="Cancel the request"
          write={cancel}
          onConfirm={() => cancel.mutate({ params }, done('The request is cancelled'))}
        >
          <p>
            The request ends{feature && ', and the feature can be changed again'}. A cancelled request cannot be opened
            again.
          </p>
        </SimpleDialog>
      )
    case 'rebase':
      return (
        <SimpleDialog
          {...common}
          title="Rebase"
          action="Rebase"
          write={rebase}
          onConfirm={() => rebase.mutate({ params }, done(`The request is a draft on the ${subject} as it is`))}
        >
          <p>The request becomes a draft on the {subject} as it is now, and loses its approvals.</p>
        </SimpleDialog>
      )
    case 'schedule':
      return (
        <ScheduleDialog
          {...common}
          error={schedule.error}
          isBusy={isUnderWay(schedule)}
          isScheduled={request.applyAt !== undefined}
          onConfirm={(applyAt) =>
            schedule.mutate({ params, body: { applyAt } }, done(applyAt ? 'Scheduled' : 'No longer scheduled'))
          }
        />
      )
    case 'submit':
      return (
        <SubmitDialog
          {...common}
          request={request}
          error={submit.error}
          isBusy={isUnderWay(submit)}
          onConfirm={(body) => submit.mutate({ params, body }, done('Review requested'))}
        />
      )
  }
}

/** Whether an action is not finished: it is sent, or the page does not show its result yet, which closes the dialog. */
function isUnderWay({ isPending, isSuccess }: Write): boolean {
  return isPending || isSuccess
}

type Write = Pick<UseMutationResult<unknown, Error>, 'error' | 'isPending' | 'isSuccess'>

interface SimpleProps {
  readonly title: string
  readonly action: string
  readonly children: ReactNode
  readonly write: Write
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** A dialog without a text. */
function SimpleDialog({ write, ...rest }: SimpleProps) {
  return <ActionDialog {...rest} error={write.error} isBusy={isUnderWay(write)} />
}

import { ActionDialog } from './ActionDialog.tsx'
import { type ActionDialogProps, isUnderWay, useActionDialog } from './useActionDialog.ts'

/** Applies an approved request. */
export function ApplyDialog(props: ActionDialogProps) {
  const { request, onClose } = props
  const { apply, params, place, finishWith } = useActionDialog(props)
  const body = { action: 'applied', description: request.description ?? '' } as const
  return (
    <ActionDialog
      onClose={onClose}
      title="Apply"
      action={`Apply in ${place}`}
      error={apply.error}
      isBusy={isUnderWay(apply)}
      onConfirm={() => apply.mutate({ params, body }, finishWith('Applied'))}
    >
      <Effect place={place} />
    </ActionDialog>
  )
}

/** Applies a request that is not approved, with a reason: in an emergency, or where the project allows it. */
export function BypassDialog(props: ActionDialogProps) {
  const { request, decisions, onClose } = props
  const { apply, params, place, finishWith } = useActionDialog(props)
  const isEmergency = decisions.bypass?.kind === 'emergency'
  const bodyWith = (reason: string) =>
    isEmergency
      ? ({ action: 'applied', description: request.description ?? '', emergency: { reason } } as const)
      : ({ action: 'applied', description: reason } as const)
  return (
    <ActionDialog
      onClose={onClose}
      title="Apply without approval"
      action={`Apply in ${place} without approval`}
      isDangerous
      text={{
        label: 'Reason for skipping the review',
        member: isEmergency ? 'emergency.reason' : 'description',
        min: isEmergency ? 10 : 1
      }}
      error={apply.error}
      isBusy={isUnderWay(apply)}
      onConfirm={(reason) => apply.mutate({ params, body: bodyWith(reason) }, finishWith('Applied without approval'))}
    >
      <Effect place={place} />
      <p>
        {isEmergency
          ? 'This is for emergencies. The reason is kept in the history and sent to the webhooks of the project.'
          : 'The project allows this to people who may publish. The reason is kept in the history.'}
      </p>
    </ActionDialog>
  )
}

function Effect({ place }: { readonly place: string }) {
  return (
    <p>
      Users of <strong>{place}</strong> get the change at once.
    </p>
  )
}

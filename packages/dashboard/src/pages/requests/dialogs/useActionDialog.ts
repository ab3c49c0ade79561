import type { Feature } from '@burgee/contract/schemas'
import type { UseMutationResult } from '@tanstack/react-query'
import { notify } from '../../../components/Toasts.ts'
import type { Decisions } from '../decisions.ts'
import { type AnyRequest, useRequestActions } from '../useRequestActions.ts'

/** The properties of the dialog of an action on a request. */
export interface ActionDialogProps {
  readonly onClose: () => void
  /** Marks the content that the person's own action created as read. */
  readonly onRead: (contentHash: string) => void
  readonly project: string
  /** Absent for a request of the project itself. */
  readonly feature?: Feature | undefined
  readonly request: AnyRequest
  /** The hash of the content that the person read: reviews name it, and the server refuses another one. */
  readonly contentHash: string
  /** The names of the environments that the request changes. */
  readonly environments: readonly string[]
  readonly decisions: Decisions
}

/** The operations on the request of a dialog, and what follows each of them: the dialog closes and a notice appears. */
export function useActionDialog({ project, feature, request, environments, onClose }: ActionDialogProps) {
  const actions = useRequestActions({ isOfProject: feature === undefined })
  const finish = (text: string) => {
    onClose()
    notify({ text })
  }
  const everywhere = feature ? 'all environments' : 'the project'
  return {
    ...actions,
    params: { project, id: request._id, feature: feature?._id ?? '' },
    /** The environments that the change affects, as text. */
    place: environments.length > 0 ? new Intl.ListFormat('en').format(environments) : everywhere,
    /** Closes the dialog and says what happened. */
    finish,
    /** The options of a write after which the dialog finishes, once the page has the new request. */
    finishWith: (text: string) => ({ onSuccess: () => actions.readAgain().then(() => finish(text)) })
  }
}

/** Whether an action is not finished: it is sent, or the page does not show its result yet, which closes the dialog. */
export function isUnderWay({
  isPending,
  isSuccess
}: Pick<UseMutationResult<unknown, Error>, 'isPending' | 'isSuccess'>): boolean {
  return isPending || isSuccess
}

import type { ChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useWrite } from '../../api/query.ts'

/** A change request of a feature, or of a project itself. */
export type AnyRequest = ChangeRequest | ProjectChangeRequest

/** The operations on one change request. Each is followed by reading everything again. */
export function useRequestActions({ isOfProject }: { readonly isOfProject: boolean }) {
  const client = useQueryClient()
  const queryKey = [isOfProject ? 'getProjectChangeRequest' : 'getChangeRequest']
  return {
    /** Waits until the page has the request as an action left it. */
    readAgain: () => client.invalidateQueries({ queryKey }, { cancelRefetch: false }),
    review: useWrite(isOfProject ? 'reviewProjectChangeRequest' : 'reviewChangeRequest'),
    apply: useWrite(isOfProject ? 'applyProjectChangeRequest' : 'applyChangeRequest'),
    schedule: useWrite(isOfProject ? 'scheduleProjectChangeRequest' : 'scheduleChangeRequest'),
    submit: useWrite(isOfProject ? 'submitProjectChangeRequest' : 'submitChangeRequest'),
    rebase: useWrite(isOfProject ? 'rebaseProjectChangeRequest' : 'rebaseChangeRequest'),
    cancel: useWrite(isOfProject ? 'cancelProjectChangeRequest' : 'cancelChangeRequest')
  }
}

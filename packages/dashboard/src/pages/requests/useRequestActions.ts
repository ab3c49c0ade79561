import { useWrite } from '../../api/query.ts'

/** The operations on one change request. Each is followed by reading everything again. */
export function useRequestActions() {
  return {
    review: useWrite('reviewChangeRequest'),
    apply: useWrite('applyChangeRequest'),
    schedule: useWrite('scheduleChangeRequest'),
    submit: useWrite('submitChangeRequest'),
    rebase: useWrite('rebaseChangeRequest'),
    cancel: useWrite('cancelChangeRequest')
  }
}

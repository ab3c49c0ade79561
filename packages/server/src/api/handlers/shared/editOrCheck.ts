import type { EditRunner } from '../../../access/audit/edit.ts'
import { rollBack } from '../../../access/audit/rollBack.ts'

/** Returns the runner of the edits of a request: for a dry run, one that rolls everything back. */
export function editOrCheck(edit: EditRunner, isDryRun = false): EditRunner {
  if (!isDryRun) return edit
  return (caller, work) => rollBack((checked) => edit(caller, checked), work)
}

import type { EditRunner } from '../../../access/audit/edit.ts'
import { rollBack } from '../../../access/audit/rollBack.ts'

/** Returns a runner of edits; in a dry run, each edit is rolled back after its checks. */
export function withDryRun(edit: EditRunner, isDryRun = false): EditRunner {
  if (!isDryRun) return edit
  return (caller, work) => rollBack((checked) => edit(caller, checked), work)
}

import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'

/** Returns a runner of edits that only checks them: everything is rolled back, unless `isDryRun` is not set. */
export function editOrCheck(edit: EditRunner, isDryRun = false): EditRunner {
  if (!isDryRun) return edit
  return async <T>(caller: TokenCaller, work: (change: Edit) => Promise<T>): Promise<T> => {
    let done: { readonly result: T } | undefined
    const rollback = new Error('the dry run is rolled back')
    await edit(caller, async (change) => {
      done = { result: await work(change) }
      throw rollback
    }).catch((error: unknown) => {
      if (error !== rollback) throw error
    })
    if (!done) throw rollback
    return done.result
  }
}

/**
 * Runs work in a transaction that is rolled back. Returns the result of the work, and fails with its error.
 * @param transact Starts the transaction, which is rolled back because its work fails.
 */
export async function rollBack<Scope, Result>(
  transact: (work: (scope: Scope) => Promise<never>) => Promise<unknown>,
  work: (scope: Scope) => Promise<Result>
): Promise<Result> {
  const rollback = new Error('the dry run is rolled back')
  let done: { readonly result: Result } | undefined
  await transact(async (scope) => {
    done = { result: await work(scope) }
    throw rollback
  }).catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  if (!done) throw rollback
  return done.result
}

import type { OperationCommand } from './operationCommand.ts'

/** JSON that the build inserts: see tsup.config.ts. */
declare const MANIFEST: string

let parsed: readonly OperationCommand[] | undefined

/** Returns the commands of all operations. */
export function manifest(): readonly OperationCommand[] {
  parsed ??= JSON.parse(MANIFEST)
  // The assignment above sets it.
  return parsed as readonly OperationCommand[]
}

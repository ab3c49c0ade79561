import type { Operation } from '@burgee/contract'
import { UsageError } from '@burgee/kit/settings'
import { formatIssues } from '@burgee/kit/text'
import type { OperationCommand } from '../manifest/operationCommand.ts'
import type { OperationRequest } from '../manifest/operationRequest.ts'
import { withFlags } from '../run/failures/nameFlags.ts'

/** Asserts that the record accepts the body, so that nothing is sent otherwise. @throws {UsageError} with all issues. */
export async function assertValid(
  { name, row, hasBody, flags }: OperationCommand,
  { body }: OperationRequest
): Promise<void> {
  if (!hasBody) return
  // Loaded on demand, since the schemas take longer than the rest of the program.
  const { operations } = await import('@burgee/contract')
  const records: Readonly<Record<string, Operation>> = operations
  const error = records[row.id]?.body?.safeParse(body).error
  if (!error) return
  const own = flags.filter((flag) => flag.in === 'body')
  const issues = formatIssues(error, body, 'body').map((issue) => withFlags(issue, own))
  throw new UsageError(`${name}: ${issues.join('; ')}`)
}

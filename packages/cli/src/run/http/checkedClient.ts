import type { Operation } from '@burgee/contract'
import type { Client } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import { formatIssues } from '@burgee/kit/text'
import type { OperationCommand } from '../../manifest/operationCommand.ts'
import { ResponseError } from '../failures/errors.ts'
import { exitCodes } from '../failures/exitCodes.ts'
import { toFailure } from '../failures/toFailure.ts'

/** A client that refuses responses of another kind than the records have, and explains errors that others caused. */
export interface CheckedClient {
  readonly client: Client
  /** Returns a `ResponseError` if a response that does not match the API caused an unexpected error, else the error. */
  readonly explain: (error: unknown) => Promise<unknown>
}

type Method = (...request: readonly unknown[]) => Promise<unknown>

/**
 * Checks the kind of each response: text of a proxy is no success, and a list is no object. Members are compared with
 * the schemas only after an unexpected error, since these take longer to load than most commands, and servers of other
 * versions have other members (ADR 109).
 */
export function checkedClient(client: Client, commands: readonly OperationCommand[]): CheckedClient {
  const received: [id: string, response: unknown][] = []
  const kinds = new Map(commands.map((one) => [one.row.id, one]))
  const checked = Object.entries<Method>(client as never).map(([id, method]): [string, Method] => [
    id,
    async (...request) => {
      const response = await method(...request)
      assertKind(id, kinds.get(id), response)
      received.push([id, response])
      if (received.length > MAX_RECEIVED) received.shift()
      return response
    }
  ])
  return {
    // The methods are those of the client.
    client: Object.fromEntries(checked) as Client,
    explain: async (error) => {
      if (toFailure(error).exit !== exitCodes.defect) return error
      for (const [id, response] of received) {
        const mismatch = await findMismatch(id, response)
        if (mismatch !== undefined) return new ResponseError(mismatch, { cause: error })
      }
      return error
    }
  }
}

/** The number of responses to explain an error with, so that commands that run for long stay small. */
const MAX_RECEIVED = 1000

/** @throws {ResponseError} if the response has another kind than that of the operation. */
function assertKind(id: string, command: OperationCommand | undefined, response: unknown): void {
  const { returns, row } = command ?? {}
  // Operations without a result may have one in later versions.
  if (response === undefined && (returns === undefined || row?.noContent)) return
  const isList = Array.isArray(response)
  const isExpected = returns === 'list' ? isList : isRecord(response) || (isList && returns === undefined)
  if (isExpected && !(row?.responseKind === 'lines' && isList && !response.every(isRecord))) return
  throw new ResponseError(`the server does not respond like a Burgee server: ${id} returned ${kindOf(response)}`)
}

function kindOf(response: unknown): string {
  if (response === undefined) return 'nothing'
  if (Array.isArray(response)) return 'a list'
  if (isRecord(response)) return 'an object'
  return typeof response === 'string' ? 'text' : `a value of type ${response === null ? 'null' : typeof response}`
}

/** Returns how a response differs from the schema of its operation, or `undefined`. */
async function findMismatch(id: string, response: unknown): Promise<string | undefined> {
  if (isNested(response)) return `the response of ${id} is nested more than ${MAX_DEPTH} levels deep`
  const { operations } = await import('@burgee/contract')
  const records: Readonly<Record<string, Operation>> = operations
  const error = records[id]?.response?.safeParse(response).error
  return (
    error && `the response of ${id} does not match the API: ${formatIssues(error, response, 'response').join('; ')}`
  )
}

/** Far more than responses of a server have. */
const MAX_DEPTH = 200

function isNested(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

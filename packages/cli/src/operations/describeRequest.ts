import { escapeLine } from '@burgee/kit/text'
import { manifest } from '../manifest/manifest.ts'
import type { OperationCommand } from '../manifest/operationCommand.ts'
import type { OperationRequest } from '../manifest/operationRequest.ts'
import type { Outcome } from '../output/outcome.ts'
import { maskSecrets } from '../run/http/debugFetch.ts'
import type { Session } from '../run/session.ts'
import { assertValid } from './assertValid.ts'

/** Returns the request that a command would send, if it is valid. @throws {UsageError} with all issues. */
export async function previewRequest(id: string, request: OperationRequest, session: Session): Promise<Outcome> {
  const operation = manifest().find(({ row }) => row.id === id)
  if (!operation) throw new TypeError(`there is no operation ${id}`)
  await assertValid(operation, request)
  return describeRequest(operation, request, session)
}

/** Returns the path of a request. */
export function pathOf({ path }: OperationCommand['row'], params: OperationRequest['params']): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Returns a valid request that a command would send, with secrets masked. */
export function describeRequest(
  { row }: OperationCommand,
  { params, query, body }: OperationRequest,
  { server }: Pick<Session, 'server'>
): Outcome {
  const path = pathOf(row, params)
  const data = {
    operation: row.id,
    method: row.method,
    path,
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body: maskSecrets(body) })
  }
  return {
    data,
    text: () => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      )
      const address = `${server}${path}${search.size > 0 ? `?${search}` : ''}`
      const lines = body === undefined ? [] : JSON.stringify(maskSecrets(body), null, 2).split('\n')
      return [`Nothing was sent. The request would be:`, `${row.method} ${address}`, ...lines]
        .map(escapeLine)
        .join('\n')
    }
  }
}

import { describeNetworkError, wasSent } from '@burgee/contract/client'
import type { Suggest } from '../../document/suggest.ts'
import { isRead } from '../../manifest/isRead.ts'
import { UnknownOutcomeError } from '../failures/errors.ts'

interface TrackedCommand {
  readonly command: string
  /** The ids of commands whose change has no response yet. */
  readonly pending: Set<string>
  readonly suggest: Suggest
}

/**
 * Remembers a write until its whole response arrives, so that an interruption can say that its outcome is unknown.
 * Rejects with an `UnknownOutcomeError` if the response is lost.
 */
export function trackWrites(send: typeof fetch, { command, pending, suggest }: TrackedCommand): typeof fetch {
  return async (input, init) => {
    if (isRead({ method: init?.method ?? 'GET', path: String(input) })) return send(input, init)
    pending.add(command)
    try {
      const { status, headers, body } = await send(input, init)
      const content = body && (await new Response(body).arrayBuffer())
      return new Response(content, { status, headers })
    } catch (error) {
      throw wasSent(error) ? lostResponse(error, command, suggest) : error
    } finally {
      pending.delete(command)
    }
  }
}

function lostResponse(cause: unknown, command: string, suggest: Suggest): UnknownOutcomeError {
  const message = `the server ${describeNetworkError(cause)}. The change of burgee ${command} may have been made or not`
  const hint = `Before you repeat it, check: ${suggest('audit')} shows the newest changes of a project.`
  return new UnknownOutcomeError(message, { cause, hint })
}

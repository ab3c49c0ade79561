import { ApiError } from '@burgee/contract/client'
import { ZodError } from 'zod'

/** What went wrong with a server, to follow its address; nothing when something else did. */
export function describeServerError(
  cause: unknown,
  {
    project,
    by: credential,
    patienceMs: timeoutMs
  }: { readonly project: string; readonly by: string; readonly patienceMs: number }
): string | undefined {
  if (cause instanceof ApiError) {
    const { operation, status, body } = cause
    const message = findRefusalMessage(body)
    if (operation === 'token' && (status === 400 || status === 401))
      return `refused ${credential}: ${message ?? status}`
    if (message === undefined) return `does not answer as a Burgee server does: ${operation} got ${status}`
    if (status === 401) return `refused ${credential}: ${message}`
    if (status === 404) return `has no project "${project}", or none that ${credential} may see: ${message}`
    return `refused: ${message}`
  }
  if (cause instanceof SyntaxError || cause instanceof ZodError) return 'does not answer as a Burgee server does'
  if (!(cause instanceof Error)) return undefined
  if (cause.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} seconds`
  // What `fetch` fails with; what the connection failed with is its cause.
  if (cause instanceof TypeError && cause.message === 'fetch failed') {
    return `cannot be reached: ${cause.cause instanceof Error ? cause.cause.message || codeOf(cause.cause) : cause.message}`
  }
  return undefined
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name
}

/** The message of a refusal: JSON, or the text of some. */
function findRefusalMessage(body: unknown): string | undefined {
  const refusal = typeof body === 'string' ? parsed(body) : body
  if (typeof refusal !== 'object' || refusal === null) return undefined
  const { message, error_description, error } = refusal as Readonly<Record<string, unknown>>
  const told = [message, error_description, error].find((text) => text !== undefined)
  return told === undefined ? undefined : [told].flat().join('; ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { ApiError } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import { ZodError } from 'zod'

interface Request {
  readonly project: string
  /** A description of the credential: `client "ci"`. */
  readonly credential: string
  readonly timeoutMs: number
}

/** Describes why a request failed, as a predicate whose subject is the server's URL; `undefined` for other errors. */
export function describeServerError(error: unknown, { project, credential, timeoutMs }: Request): string | undefined {
  if (error instanceof ApiError) {
    const { operation, status, body } = error
    const message = findErrorMessage(body)
    if (operation === 'token' && (status === 400 || status === 401)) {
      return `refused ${credential}: ${message ?? status}`
    }
    if (message === undefined) return `is not a Burgee server: ${operation} returned ${status}`
    if (status === 401) return `refused ${credential}: ${message}`
    if (status === 404) return `has no project "${project}", or none that ${credential} can see: ${message}`
    return `refused: ${message}`
  }
  if (error instanceof SyntaxError || error instanceof ZodError) return 'is not a Burgee server'
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} seconds`
  // The cause of the error from `fetch` contains the reason.
  if (error instanceof TypeError && error.message === 'fetch failed') {
    const { cause } = error
    return `cannot be reached: ${cause instanceof Error ? cause.message || codeOf(cause) : error.message}`
  }
  return undefined
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name
}

/** Returns the message of an error response: the contract's or OAuth's, parsed or as text. */
function findErrorMessage(body: unknown): string | undefined {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  if (!isRecord(parsed)) return undefined
  const { message, error_description, error } = parsed
  const text = [message, error_description, error].find((one) => one !== undefined)
  return text === undefined ? undefined : [text].flat().join('; ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

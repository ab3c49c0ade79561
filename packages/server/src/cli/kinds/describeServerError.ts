import { ApiError, describeNetworkError } from '@burgee/contract/client'
import { ZodError } from 'zod'

interface Request {
  readonly project: string
  /** A description of the credential: `client "ci"`. */
  readonly credential: string
}

/** Describes why a request failed, as a predicate whose subject is the server's URL; `undefined` for other errors. */
export function describeServerError(error: unknown, { project, credential }: Request): string | undefined {
  if (error instanceof ApiError) {
    const { operation, status, detail } = error
    if (operation === 'token' && (status === 400 || status === 401)) {
      return `refused ${credential}: ${detail ?? status}`
    }
    if (detail === undefined) return `is not a Burgee server: ${operation} returned ${status}`
    if (status === 401) return `refused ${credential}: ${detail}`
    if (status === 404) return `has no project "${project}", or none that ${credential} can see: ${detail}`
    return `refused: ${detail}`
  }
  if (error instanceof SyntaxError || error instanceof ZodError) return 'is not a Burgee server'
  return describeNetworkError(error)
}

import { preconditionFailed } from '../errors.ts'

/**
 * The maximum size of the rules and values of one feature or audience, in characters of JSON. Evaluations wait while
 * the server copies, compares or compiles one of them, which takes a few milliseconds at this size.
 */
export const MAX_SIZE = 512 * 1024

interface Sizing {
  /** The content before a change; `undefined` for a new resource. */
  readonly before: unknown
  readonly after: unknown
  /** How its size can be reduced, as an imperative. */
  readonly remedy: string
}

/**
 * Asserts that a change leaves a resource within `MAX_SIZE`, or does not make it larger: a resource that an earlier
 * version has stored can be larger.
 * @param name The resource, for example `feature "search"`.
 * @throws {HttpError} 412
 */
export function assertSize(name: string, { before, after, remedy }: Sizing): void {
  const size = sizeOf(after)
  if (size <= MAX_SIZE || (before !== undefined && size <= sizeOf(before))) return
  throw preconditionFailed(`${name} would have ${size} characters of JSON, the maximum is ${MAX_SIZE}; ${remedy}`)
}

function sizeOf(content: unknown): number {
  return JSON.stringify(content).length
}

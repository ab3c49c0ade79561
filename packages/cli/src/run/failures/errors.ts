import { suggestion } from '@burgee/kit/text'
import type { Failure } from './failure.ts'

/** An expected failure of a command. */
export abstract class CommandError extends Error {
  /** The action. */
  readonly hint: string | undefined

  constructor(message: string, { hint, ...options }: ErrorOptions & { readonly hint?: string } = {}) {
    super(message, options)
    this.hint = hint
  }
}

/** A change was not confirmed, so nothing was changed. */
export class NotConfirmedError extends CommandError {
  override readonly name = 'NotConfirmedError'
}

/** The response to a change was lost, so nobody knows whether the change was made. */
export class UnknownOutcomeError extends CommandError {
  override readonly name = 'UnknownOutcomeError'
}

/** A list of the server does not have the item that the user named. */
export class NotFoundError extends CommandError {
  override readonly name = 'NotFoundError'
}

/** Returns the error for a project that the caller cannot read. */
export function unknownProject(project: string, known: readonly string[], hint?: string): NotFoundError {
  const advice = known.length > 0 ? `it should be one of ${shortList(known)}` : 'ask an administrator for a role in it'
  const message = `there is no project "${project}" that you can read${suggestion(project, known)}: ${advice}`
  return new NotFoundError(message, hint === undefined ? {} : { hint })
}

function shortList(names: readonly string[]): string {
  const others = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

const MAX_NAMES = 10

/** The response is not one of a Burgee server of this version. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
}

/** A conflict: the state has changed in the meantime or does not allow the change. Nothing was changed. */
export class ConflictError extends CommandError {
  override readonly name = 'ConflictError'
}

/** A failed command with its failure, which names flags and suggests commands that fit this command line. */
export class FailedCommand extends Error {
  override readonly name = 'FailedCommand'
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(failure.message, { cause })
    this.failure = failure
  }
}

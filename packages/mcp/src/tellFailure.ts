import { ApiError } from '@burgee/contract/client'
import { escapeControlCharacters } from '@burgee/kit/text'
import { isOfNetwork, messageOf } from './answers/failure.ts'
import { ToolError } from './answers/toolError.ts'
import { SignInError } from './login/signInError.ts'
import { OptionError } from './options.ts'

/** Tells of a start or a command that failed. What was typed wrong is told in one line and ends with 2; what did not work out with 1. */
export function tellFailure(error: unknown, write: (text: string) => void): 1 | 2 {
  const told = isExpected(error) ? messageOf(error).replace(/\s*\n\s*/g, ' ') : stackOf(error)
  write(`burgee-mcp: ${escapeControlCharacters(told)}\n`)
  return error instanceof OptionError ? 2 : 1
}

function isExpected(error: unknown): boolean {
  return [OptionError, SignInError, ApiError, ToolError].some((kind) => error instanceof kind) || isOfNetwork(error)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

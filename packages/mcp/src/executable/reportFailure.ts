import { ApiError } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import { escapeControlCharacters } from '@burgee/kit/text'
import { SignInError } from '@burgee/sign-in'
import { ToolError } from '../results/toolError.ts'
import { isNetworkError, messageOf } from '../results/toolFailure.ts'

/** Writes the reason of a failed start or command. Returns the exit code: 2 for invalid settings or arguments, else 1. */
export function reportFailure(error: unknown, write: (text: string) => void): 1 | 2 {
  const text = isExpected(error) ? messageOf(error).replace(/\s*\n\s*/g, ' ') : stackOf(error)
  write(`burgee-mcp: ${escapeControlCharacters(text)}\n`)
  return error instanceof UsageError ? 2 : 1
}

function isExpected(error: unknown): boolean {
  return [UsageError, SignInError, ApiError, ToolError].some((kind) => error instanceof kind) || isNetworkError(error)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

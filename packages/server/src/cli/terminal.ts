import { escapeControlCharacters } from '@burgee/kit/text'
import { ApiError } from '../lib/errors.ts'
import { OptionError } from '../lib/optionError.ts'
import { DuplicateError, StoreOpenError } from '../storage/store.ts'
import { CommandError } from './kit/command.ts'
import type { Terminal } from './runCommand.ts'

/** Writes text as it is. */
export type WriteText = (text: string) => void

/** What goes to a terminal may come from a server elsewhere, or from whoever wrote what is in the store. */
export function createTerminal(toOutput: WriteText, toError: WriteText): Terminal {
  return {
    print: (line) => toOutput(`${escapeControlCharacters(line)}\n`),
    notice: (line) => toError(`burgee-server: ${escapeControlCharacters(oneLine(line))}\n`)
  }
}

/** Tells of a start or a command that failed. What the operator can mend is told in one line and ends with 2; anything else with 1. */
export function printFailure(error: unknown, toError: WriteText): 1 | 2 {
  const isUserError = userErrors.some((kind) => error instanceof kind)
  const message = !(error instanceof Error) ? String(error) : isUserError ? oneLine(error.message) : error.stack
  toError(`burgee-server: ${escapeControlCharacters(String(message))}\n`)
  return isUserError ? 2 : 1
}

/** What says that something was asked for that cannot be. */
const userErrors = [OptionError, StoreOpenError, CommandError, ApiError, DuplicateError]

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

import { visible } from '@burgee/contract'
import { CommandError } from './commands/command.ts'
import type { Terminal } from './commands/run.ts'
import { ApiError } from './errors.ts'
import { OptionError } from './options.ts'
import { DuplicateError, StoreOpenError } from './store/store.ts'

/** Writes text as it is. */
export type Write = (text: string) => void

/** What goes to a terminal may come from a server elsewhere, or from whoever wrote what is in the store. */
export function terminalOn(toOutput: Write, toError: Write): Terminal {
  return {
    print: (line) => toOutput(`${visible(line)}\n`),
    notice: (line) => toError(`burgee-server: ${visible(oneLine(line))}\n`)
  }
}

/** Tells of a start or a command that failed. What the operator can mend is told in one line and ends with 2; anything else with 1. */
export function tellFailure(error: unknown, toError: Write): 1 | 2 {
  const isMendable = mendable.some((kind) => error instanceof kind)
  const told = !(error instanceof Error) ? String(error) : isMendable ? oneLine(error.message) : error.stack
  toError(`burgee-server: ${visible(String(told))}\n`)
  return isMendable ? 2 : 1
}

/** What says that something was asked for that cannot be. */
const mendable = [OptionError, StoreOpenError, CommandError, ApiError, DuplicateError]

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

import type { Command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import type { Outcome } from '../output/outcome.ts'
import type { Session } from './session.ts'
import { sessionCommand } from './sessionCommand.ts'
import type { Terminal } from './terminal.ts'

/** The declaration of a command that calls a server. */
interface ApiCommand<S extends Settings> {
  /** As users type it: `flags list`. */
  readonly name: string
  readonly summary: string
  /** Positional arguments: `<key>`, `[key]`. */
  readonly arguments?: readonly string[]
  /** The settings of the command, in addition to those of the connection. */
  readonly settings: S
  readonly details?: string
  readonly run: (given: ApiCommandInput<S>, session: Session) => Promise<Outcome>
}

interface ApiCommandInput<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

/** Declares a command that calls a server and prints what it returns. */
export function apiCommand<const S extends Settings>(declared: ApiCommand<S>): Command<Terminal> {
  return sessionCommand({ ...declared, run: async (given, { session }) => declared.run(given, await session()) })
}

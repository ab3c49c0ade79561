import type { Command } from '@burgee/kit/commandLine'
import type { Settings } from '@burgee/kit/settings'
import type { Outcome } from '../output/outcome.ts'
import type { Session } from './session.ts'
import { type CommandInput, type SessionCommand, sessionCommand } from './sessionCommand.ts'
import type { Terminal } from './terminal.ts'

/** The declaration of a command that calls a server. */
interface ApiCommand<S extends Settings> extends Omit<SessionCommand<S>, 'run'> {
  readonly run: (given: CommandInput<S>, session: Session) => Promise<Outcome>
}

/** Declares a command that calls a server and prints what it returns. */
export function apiCommand<const S extends Settings>(declared: ApiCommand<S>): Command<Terminal> {
  return sessionCommand({ ...declared, run: async (given, { session }) => declared.run(given, await session()) })
}

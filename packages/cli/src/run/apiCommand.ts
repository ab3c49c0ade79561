import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import { type Outcome, outputFormat, printOutcome } from '../output/outcome.ts'
import type { Session, SessionOptions } from './session.ts'
import { type ConnectionOptions, connectionSettings } from './settings.ts'
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
  return command({
    ...declared,
    settings: { ...declared.settings, ...connectionSettings },
    run: async (given, terminal: Terminal) => {
      // The command is declared with both sets of settings.
      const settings = given.settings as unknown as Values<S> & ConnectionOptions & SessionOptions
      // Loaded on demand, since help and completion start faster without it.
      const { openSession } = await import('./session.ts')
      const session = await openSession(settings, terminal, declared.name)
      const outcome = await declared.run({ arguments: given.arguments, settings }, session)
      printOutcome(outcome, outputFormat(settings, terminal), terminal)
      return outcome.exitCode ?? 0
    }
  })
}

import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import { type Outcome, outputFormat, printOutcome } from '../../output/outcome.ts'
import type { Session, SessionOptions } from '../../run/session.ts'
import { type ConnectionOptions, connectionSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'

interface CodeCommand<S extends Settings> {
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly string[]
  readonly settings: S
  readonly details?: string
  readonly run: (given: CodeInput<S>, context: CodeContext) => Promise<Outcome>
}

interface CodeInput<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

/** What a command about code works with. */
export interface CodeContext {
  readonly terminal: Terminal
  /** Opens the session, once. Commands that need no server never call it. */
  readonly session: () => Promise<Session>
}

/** Declares a command about the code of this computer, which asks a server only if it has to. */
export function codeCommand<const S extends Settings>(declared: CodeCommand<S>): Command<Terminal> {
  return command({
    ...declared,
    settings: { ...declared.settings, ...connectionSettings },
    run: async (given, terminal: Terminal) => {
      // The command is declared with both sets of settings.
      const settings = given.settings as unknown as Values<S> & ConnectionOptions & SessionOptions
      let opened: Promise<Session> | undefined
      const session = () =>
        (opened ??= import('../../run/session.ts').then(({ openSession }) =>
          openSession(settings, terminal, declared.name)
        ))
      const outcome = await declared.run({ arguments: given.arguments, settings }, { terminal, session })
      printOutcome(outcome, outputFormat(settings, terminal), terminal)
      return outcome.exitCode ?? 0
    }
  })
}

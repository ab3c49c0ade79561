import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import { type Outcome, printOutcome } from '../output/outcome.ts'
import { type OutputOptions, outputSettings } from '../output/outputSettings.ts'
import { type Terminal, terminalFor } from './terminal.ts'

interface LocalCommand<S extends Settings> {
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly string[]
  readonly settings: S
  readonly details?: string
  readonly run: (
    given: { readonly arguments: readonly string[]; readonly settings: Values<S> },
    terminal: Terminal
  ) => Promise<Outcome>
}

/** Declares a command that opens no session: about profiles, sign-ins and this program itself. */
export function localCommand<const S extends Settings>(declared: LocalCommand<S>): Command<Terminal> {
  return command({
    ...declared,
    settings: { ...declared.settings, ...outputSettings },
    run: async (given, process: Terminal) => {
      // The command is declared with both sets of settings.
      const settings = given.settings as unknown as Values<S> & OutputOptions
      const terminal = terminalFor(settings, process)
      const outcome = await declared.run({ arguments: given.arguments, settings }, terminal)
      await printOutcome(outcome, settings, terminal)
      return outcome.exitCode ?? 0
    }
  })
}

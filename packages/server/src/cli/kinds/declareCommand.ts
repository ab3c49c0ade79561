import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import type { Terminal } from '../terminal.ts'

/** The declaration of a command. `Context` has the resources that its kind of command opens. */
export interface DeclaredCommand<S extends Settings, Context> {
  /** The name as typed: `users add`. */
  readonly name: string
  readonly summary: string
  /** Positional arguments: `<email>`, `[key]`. */
  readonly arguments?: readonly string[]
  /** The command's own settings, in addition to those of its kind. */
  readonly settings: S
  /** Returns the exit code. @throws {UsageError} if an argument is invalid. */
  readonly run: (given: CommandInput<S>, context: Context) => Promise<number>
}

/** The parsed arguments and settings. Required arguments are always present. */
interface CommandInput<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

interface Kind<S extends Settings, Shared extends Settings> {
  /** The settings of all commands of this kind. */
  readonly shared: Shared
  readonly run: (given: CommandInput<S>, shared: Values<Shared>, terminal: Terminal) => Promise<number>
}

/** Declares a command that accepts its own settings and those of its kind. */
export function declareCommand<S extends Settings, Shared extends Settings>({
  shared,
  run,
  ...declared
}: Omit<DeclaredCommand<S, never>, 'run'> & Kind<S, Shared>): Command<Terminal> {
  return command({
    ...declared,
    settings: { ...declared.settings, ...shared },
    run: (given, terminal: Terminal) => {
      // The command is declared with both sets of settings.
      const settings = given.settings as unknown as Values<S> & Values<Shared>
      return run({ arguments: given.arguments, settings }, settings, terminal)
    }
  })
}

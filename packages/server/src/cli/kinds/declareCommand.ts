import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import type { Terminal } from '../terminal.ts'

/** A command as its file declares it. `Context` is what its kind of command opens for it. */
export interface DeclaredCommand<S extends Settings, Context> {
  /** As it is typed: `users add`. */
  readonly name: string
  readonly summary: string
  /** Positional arguments: `<email>`, `[key]`. */
  readonly arguments?: readonly string[]
  /** Its own settings; its kind adds those it needs. */
  readonly settings: S
  /** Returns the exit code. @throws {UsageError} when an argument is unusable. */
  readonly run: (given: GivenTo<S>, context: Context) => Promise<number>
}

/** What a command is given: required arguments are never missing. */
interface GivenTo<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

interface Kind<S extends Settings, Shared extends Settings> {
  /** The settings that all commands of this kind take. */
  readonly shared: Shared
  readonly run: (given: GivenTo<S>, shared: Values<Shared>, terminal: Terminal) => Promise<number>
}

/** Declares a command of a kind, which takes the settings of both. */
export function declareCommand<S extends Settings, Shared extends Settings>({
  shared,
  run,
  ...declared
}: Omit<DeclaredCommand<S, never>, 'run'> & Kind<S, Shared>): Command<Terminal> {
  return command({
    ...declared,
    settings: { ...declared.settings, ...shared },
    run: (given, terminal: Terminal) => {
      // Both kinds of settings are among those that the command was declared with.
      const settings = given.settings as unknown as Values<S> & Values<Shared>
      return run({ arguments: given.arguments, settings }, settings, terminal)
    }
  })
}

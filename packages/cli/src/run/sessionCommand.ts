import { type Command, command } from '@burgee/kit/commandLine'
import type { Settings, Values } from '@burgee/kit/settings'
import type { Suggest } from '../document/suggest.ts'
import { type Outcome, printOutcome } from '../output/outcome.ts'
import type { FailedCommand } from './failures/errors.ts'
import type { RemoteEnvironment, Session, SessionOptions } from './session.ts'
import { type ConnectionOptions, connectionSettings } from './settings.ts'
import { openSuggestions } from './suggestCommand.ts'
import { type Terminal, terminalFor } from './terminal.ts'

/** The declaration of a command that may call a server. */
export interface SessionCommand<S extends Settings> {
  /** As users type it: `flags list`. */
  readonly name: string
  readonly summary: string
  /** Positional arguments: `<key>`, `[key]`. */
  readonly arguments?: readonly string[]
  readonly isHidden?: true
  /** The settings of the command, in addition to those of the connection. */
  readonly settings: S
  readonly details?: string
  readonly run: (given: CommandInput<S>, context: CommandContext) => Promise<Outcome>
}

/** What the user typed. */
export interface CommandInput<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

/** What a command can use besides its input. */
interface CommandContext {
  readonly terminal: Terminal
  /** Opens the session, once. Commands that need no server never call it. */
  readonly session: () => Promise<Session>
  /** Returns the environment of the settings or the profile, without a request. @throws {UsageError} without one. */
  readonly remote: () => Promise<RemoteEnvironment>
  /** As that of the session, if it is open. */
  readonly explain: Session['explain']
}

/** Declares a command that opens its session only if it needs the server. */
export function sessionCommand<const S extends Settings>(declared: SessionCommand<S>): Command<Terminal> {
  return command({
    ...declared,
    settings: { ...declared.settings, ...connectionSettings },
    run: async (given, process: Terminal) => {
      // The command is declared with both sets of settings.
      const settings = given.settings as unknown as Values<S> & ConnectionOptions & SessionOptions
      const terminal = terminalFor(settings, process)
      let opened: Promise<Session> | undefined
      // Loaded on demand, since help and completion start faster without it.
      const session = () =>
        (opened ??= import('./session.ts').then(({ openSession }) => openSession(settings, terminal, declared.name)))
      const remote = () => import('./session.ts').then(({ resolveRemote }) => resolveRemote(settings, terminal))
      const explain = async (error: unknown) => {
        const current = await opened?.catch(() => undefined)
        return current ? current.explain(error) : error
      }
      try {
        const context = { terminal, session, remote, explain }
        const outcome = await declared.run({ arguments: given.arguments, settings }, context)
        await printOutcome(outcome, settings, terminal)
        return outcome.exitCode ?? 0
      } catch (error) {
        const current = await opened?.catch(() => undefined)
        const { suggest } = current ?? (await openSuggestions(settings, terminal))
        throw await toFailed(await explain(error), declared.settings, { suggest, source: current?.account.source })
      }
    }
  })
}

/** Returns the error of a command with its failure, as a person types the command. */
async function toFailed(
  error: unknown,
  declared: Settings,
  { suggest, source }: { readonly suggest: Suggest; readonly source: string | undefined }
): Promise<FailedCommand> {
  // Loaded on demand, since few commands fail.
  const [{ ApiError }, { FailedCommand }, { toFailure }, { nameFlags }] = await Promise.all([
    import('@burgee/contract/client'),
    import('./failures/errors.ts'),
    import('./failures/toFailure.ts'),
    import('./failures/nameFlags.ts')
  ])
  const { operation } = error instanceof ApiError ? error : {}
  return new FailedCommand(nameFlags(toFailure(error, suggest, source), operation, declared), error)
}

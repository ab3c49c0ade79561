import type { Environment } from '@burgee/kit/settings'
import type { CredentialFile } from '@burgee/sign-in'
import type { Printer } from '../output/outcome.ts'
import type { Credentials } from '../profiles/credentials.ts'
import type { ProfileFile } from '../profiles/profileFile.ts'
import type { Ask } from './askOn.ts'

/** The process around a command. */
export interface Terminal extends Printer {
  /** Writes what a person should see before a question to standard error. */
  readonly show: (text: string) => void
  /** Asks the person; `undefined` unless standard input and standard error are a terminal. */
  readonly ask: Ask | undefined
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>
  /** Opens an address in a browser. */
  readonly open: (address: string) => Promise<void>
  /** The name of this computer. */
  readonly hostname: string
  readonly environment: Environment
  /** The working directory. */
  readonly directory: string
  readonly now: () => number
  readonly profiles: ProfileFile
  /** Opens the file of stored credentials. Loads on demand what few commands need. */
  readonly credentials: () => Promise<CredentialFile<Credentials>>
  /**
   * Runs work that ends by itself soon after an interruption, whose reason is the exit code. A second interruption ends
   * the process.
   */
  readonly interruptible: <T>(work: (interruption: AbortSignal) => Promise<T>) => Promise<T>
  /** The writes that wait for a response, by the id of the operation. */
  readonly pendingWrites: Set<string>
  /** Each resolves when a file of this computer is saved, for which an interruption waits. */
  readonly pendingSaves: Set<() => Promise<void>>
  /** Starts another command of this program, which outlives this one and prints nothing. */
  readonly startInBackground: (args: readonly string[]) => void
}

/** Returns the terminal of a command: with `--quiet`, without notices; with `--wide`, of infinite width. */
export function terminalFor(
  { quiet, wide }: { readonly quiet: boolean; readonly wide: boolean },
  terminal: Terminal
): Terminal {
  return {
    ...terminal,
    ...(quiet && { notice: () => {} }),
    ...(wide && { width: Number.POSITIVE_INFINITY })
  }
}

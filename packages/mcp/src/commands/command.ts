import type { CredentialFile } from '../login/credentialFile.ts'
import type { AccountOptions, Flags, Given, SettingName } from '../options.ts'

/** What somebody can do at a terminal. */
export interface Command {
  readonly name: string
  /** What follows the name, as in `[key]`. */
  readonly usage: string
  readonly summary: string
  /** The settings that it has flags for. */
  readonly takes: readonly SettingName[]
  /** Its own flags. */
  readonly flags: Flags
  /** What help says about those. */
  readonly details: readonly string[]
  /** Does it, and answers the exit code. */
  readonly run: (given: Given, options: AccountOptions, terminal: Terminal) => Promise<number>
}

/** What commands work with. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly notice: (line: string) => void
  /** Asks whoever sits there, if somebody does. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** Opens an address in a browser. */
  readonly open: (address: string) => Promise<void>
  /** What this computer calls itself. */
  readonly hostname: string
  readonly file: CredentialFile
  readonly now: () => number
}

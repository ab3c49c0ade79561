import type { SignIns } from '../login/credentials.ts'

/** The dependencies of commands. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly notice: (line: string) => void
  /** Prompts the person at the terminal; `undefined` if standard input is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** Opens an address in a browser. */
  readonly open: (address: string) => Promise<void>
  /** The name of this computer. */
  readonly hostname: string
  readonly file: SignIns
  readonly now: () => number
}

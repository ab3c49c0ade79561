import type { CredentialFile } from '../login/credentialFile.ts'

/** What commands work with. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly notice: (line: string) => void
  /** Asks the person at the terminal; `undefined` when standard input is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** Opens an address in a browser. */
  readonly open: (address: string) => Promise<void>
  /** The name of this computer. */
  readonly hostname: string
  readonly file: CredentialFile
  readonly now: () => number
}

import type { TokenSource } from '@burgee/contract/client'
import type { Api } from './api/api.ts'
import type { Session } from './session.ts'
import type { ToolSettings } from './settings.ts'

/** What every connection to a tool server has in common. */
export interface Service {
  /** `Local` serves the person who started it, `Remote` everybody who signs in. */
  readonly kind: 'Local' | 'Remote'
  readonly api: Api
  /** The address of the Burgee server as applications reach it, without a slash at its end. */
  readonly serverUrl: string
  readonly settings: ToolSettings
  /** Secret that confirmations are signed with: 32 bytes. */
  readonly confirmationKey: Uint8Array
  /** Counts a call of a caller; answers for how many seconds to wait, when there were too many lately. Without it, there are never. */
  readonly limit?: (caller: string) => Promise<number | undefined>
  readonly log: ToolLog
  readonly now: () => number
}

/** Who is connected. */
export interface Caller {
  /** Who it is, through which client: confirmations are theirs alone. */
  readonly id: string
  readonly tokens: TokenSource
  readonly session: Session
}

/** Where a tool server tells what it does. */
export interface ToolLog {
  readonly info: (details: Readonly<Record<string, unknown>>, message: string) => void
  readonly debug: (details: Readonly<Record<string, unknown>>, message: string) => void
  readonly error: (details: Readonly<Record<string, unknown>>, message: string) => void
}

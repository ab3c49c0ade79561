import type { TokenSource } from '@burgee/contract/client'
import type { ToolSettings } from '../settings/toolSettings.ts'
import type { Session } from './session.ts'

/** The state that all connections to a tool server share. */
export interface McpServerContext {
  /** `Local` serves the person who started it, `Remote` all users who sign in. */
  readonly kind: 'Local' | 'Remote'
  readonly api: ApiAddress
  /** The address of the Burgee server as applications reach it, without a trailing slash. */
  readonly serverUrl: string
  readonly settings: ToolSettings
  /** The secret that signs confirmations: 32 bytes. */
  readonly confirmationKey: Uint8Array
  /** Counts a call. Returns the milliseconds to wait when the caller is over the limit. If omitted, calls are not limited. */
  readonly rateLimit?: (callerId: string) => Promise<number | undefined>
  /**
   * Claims an id for a time in milliseconds, among all servers with the same key. Returns false if it was claimed before.
   * If omitted, this is the only server.
   */
  readonly claim?: (id: string, ms: number) => Promise<boolean>
  readonly log: ToolLog
  readonly now: () => number
}

/** The address of the management API. */
export interface ApiAddress {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  /** The global `fetch` if omitted. */
  readonly fetch?: typeof fetch
}

/** The user of a connection. */
export interface Caller {
  /** Identifies the person and their client; confirmations are bound to it. */
  readonly id: string
  readonly tokens: TokenSource
  readonly session: Session
}

/** The log of a tool server. */
export interface ToolLog {
  readonly info: (details: Readonly<Record<string, unknown>>, message: string) => void
  readonly debug: (details: Readonly<Record<string, unknown>>, message: string) => void
  readonly error: (details: Readonly<Record<string, unknown>>, message: string) => void
}

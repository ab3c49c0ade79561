import type { Client } from '@burgee/contract/client'
import type { Session } from '../session.ts'
import type { ToolSettings } from '../settings.ts'

/** What a tool works with while it is called. */
export interface Call {
  /** The API, for the caller. */
  readonly client: Client
  /** The key of the project that the call is about. @throws {ToolError} when none is chosen */
  readonly project: () => string
  /** The same, or nothing when none is chosen. */
  readonly chosen: string | undefined
  readonly session: Session
  readonly settings: ToolSettings
  /** The address of the Burgee server as applications reach it. */
  readonly serverUrl: string
  readonly now: () => number
}

import type { Client } from '@burgee/contract/client'
import type { Session } from '../session.ts'
import type { ToolSettings } from '../settings.ts'

/** What a tool works with during a call. */
export interface Call {
  /** The API, as the caller. */
  readonly client: Client
  /** Returns the key of the project. @throws {ToolError} when none is selected. */
  readonly project: () => string
  /** The same; `undefined` when none is selected. */
  readonly selectedProject: string | undefined
  readonly session: Session
  readonly settings: ToolSettings
  /** The address of the Burgee server as applications reach it. */
  readonly serverUrl: string
  readonly now: () => number
}

import type { Client } from '@burgee/contract/client'
import type { Session } from '../connection/session.ts'
import type { ToolSettings } from '../settings/toolSettings.ts'

/** The context of a tool call. */
export interface Call {
  /** The API client of the caller. */
  readonly client: Client
  /** Returns the key of the project. @throws {ToolError} when none is selected. */
  readonly project: () => string
  /** The key of the project; `undefined` when none is selected. */
  readonly selectedProject: string | undefined
  readonly session: Session
  readonly settings: ToolSettings
  /** The address of the Burgee server as applications reach it. */
  readonly serverUrl: string
  readonly now: () => number
}

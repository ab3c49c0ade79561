import type { AccessLogEntry } from '@burgee/contract/schemas'
import type { Context } from 'koa'
import type { Identity } from '../access/permissions/caller.ts'
import type { Generations } from './revocation/generations.ts'

/** The API that a request is for; it determines the format of errors. */
export type Surface = 'evaluation' | 'management' | 'ofrep' | 'oauth' | 'mcp' | 'scim' | 'manifest'

/**
 * The facts about the caller of a request for the access log. Never input of an unknown caller, which can be a secret.
 */
export interface AccessFacts
  extends Partial<
    Pick<
      AccessLogEntry,
      'kind' | 'reason' | 'method' | 'idp_user' | 'clientId' | 'actor' | 'source' | 'assistant' | 'target'
    >
  > {
  /** The key of the caller's organization. */
  readonly _organization?: string
  /** The outcome, where the status does not show it. */
  readonly outcome?: AccessLogEntry['outcome']
}

declare module 'koa' {
  /** The state of a request. Routes and the authorization server share it. */
  interface DefaultState {
    /** Set before any route runs. */
    requestId: string
    /** The operation in logs, metrics and spans: the id of its record, or the name of an endpoint without one. */
    operation?: string
    surface?: Surface
    /** The requested audience, if this server issues no tokens for it. */
    audience?: string | undefined
    /** The caller, and the kind of entry in the access log. A kind is set for recorded requests only. */
    access?: AccessFacts
    /** The path parameters that the access log shows. */
    accessTarget?: Readonly<Record<string, string>>
    /** The name of the computer that requests a device code, as the program reports it. */
    deviceName?: string
    /** The user code that fills the field on the page for devices. */
    userCode?: string
    /** Whether a client secret was compared. */
    hasTriedSecret?: boolean
    /** The person of the browser session of the dashboard, if the request came through it. */
    dashboardIdentity?: Identity
    /** Reads that person again. Rejects with 401 if the session has ended. */
    readDashboardIdentity?: () => Promise<Identity>
    /** Whether the request asks for the health of the server. */
    isProbe?: boolean
    /** Why the store was not available, for the log. */
    reason?: string
    /** When the authorization server began to handle the request, in epoch milliseconds. */
    startedAt?: number
    /** The generations of holders as the request read them first. */
    generations?: Generations
    /** Why `oidc-provider` could not write to the store. */
    storeFailure?: Error
    /** The last error that was reported after the response had started. */
    failure?: unknown
  }
}

/** Adds facts about a request for the access log. */
export function setAccess(ctx: Pick<Context, 'state'>, facts: AccessFacts): void {
  ctx.state.access = { ...ctx.state.access, ...facts }
}

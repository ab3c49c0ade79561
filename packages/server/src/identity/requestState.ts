import type {} from 'koa'

/** The API that a request is for; it determines the format of errors. */
export type Surface = 'evaluation' | 'management' | 'ofrep' | 'oauth' | 'mcp'

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
    /** Whether a client secret was compared. */
    hasTriedSecret?: boolean
    /** When the authorization server began to handle the request, in epoch milliseconds. */
    startedAt?: number
    /** The last error that was reported after the response had started. */
    failure?: unknown
  }
}

import type { z } from 'zod'
import type { Permission } from './access/permission.ts'

/**
 * The description of one operation of the API. Routes, types, the OpenAPI document, the client and the inputs of MCP
 * tools are derived from these records.
 */
export interface Operation {
  /** Unique among all operations; also the name of the handler and of the client's method. */
  readonly id: string
  readonly summary: string
  /** Details, in Markdown. */
  readonly description?: string
  /** The group of the operation in the OpenAPI document. */
  readonly tag: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces: `/v1/variables/{key}`. */
  readonly path: string
  /** Other paths that published clients use for it. The server accepts them; the OpenAPI document omits them. */
  readonly aliases?: readonly string[]
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Request headers, by their names in lower case. */
  readonly headers?: z.ZodObject
  /** The schema of the request body. The body is optional if the schema accepts `undefined`. */
  readonly body?: z.ZodType
  /** Whether the server reads a request body. Set exactly where `body` is. */
  readonly readsBody?: true
  /**
   * Passes the body to the handler as parsed JSON without validation by `body`, up to this many bytes, this many
   * values, objects and lists, this many members of an object, this depth, and this many characters of a string.
   */
  readonly rawBody?: {
    readonly maxBytes: number
    readonly maxValues: number
    readonly maxMembers: number
    readonly maxDepth: number
    readonly maxLength: number
  }
  /**
   * What is limited per minute; unlimited if omitted. `requests` are counted per SDK key; `bytes` of events and bytes of
   * `userData` per network, and for client and mobile keys only.
   */
  readonly rateLimit?: 'requests' | 'bytes' | 'userData'
  /**
   * Where the request names its user: in the path parameter or query parameter `user_id`, in the OFREP context, or as
   * the users of events. Required for operations with client or mobile keys that concern a user, because environments
   * can require these users to be signed.
   */
  readonly user?: 'path' | 'query' | 'context' | 'events'
  /** The status of a success. */
  readonly status: 200 | 201
  /** The response body of a success; empty if omitted. */
  readonly response?: z.ZodType
  /** The status of a success without a result, for operations that can have one. */
  readonly noContent?: 204
  /** Defaults to a single JSON body. */
  readonly responseKind?: ResponseKind
  /** The kind of entry that a request adds to the access log; none if omitted. */
  readonly accessLog?: 'secretShown' | 'export' | 'auditRead'
  /** The response has the revision of the resource as its `ETag`. Requests for changes accept it in `If-Match`. */
  readonly hasRevision?: true
  /** The response bodies of errors, by status. */
  readonly errors: { readonly [status: number]: z.ZodType }
  readonly credential: SdkKeyCredential | TokenCredential
  /** Whether another operation replaces this one. */
  readonly isDeprecated?: boolean
}

/** The forms of a response other than a single JSON body. */
export type ResponseKind =
  /** One page of a list, with the number of items on all pages in the header `count`. */
  | 'list'
  /** One item per line (NDJSON). */
  | 'lines'
  /** A JSON body with an ETag; returns 304 for a matching `If-None-Match`. */
  | 'conditional'
  /** Like `conditional`, with `Last-Modified`, and cacheable by shared caches. */
  | 'download'
  /** Server-sent events. */
  | 'stream'

/** The types of SDK keys, in the order in which environments list them. */
export const sdkKeyTypes = ['mobile', 'client', 'server'] as const

/** A type of SDK key. */
export type SdkKeyType = (typeof sdkKeyTypes)[number]

/** The origins of evaluations that results distinguish: SDKs by type, and requests to the server. */
export const sdkTypes = ['client', 'server', 'mobile', 'api'] as const

/** The origin of an evaluation. */
export type SdkType = (typeof sdkTypes)[number]

/**
 * An SDK key of one of these types: in `Authorization`, bare or after `Bearer `, or in one of the other places named.
 */
export interface SdkKeyCredential {
  readonly type: 'sdkKey'
  readonly keyTypes: readonly SdkKeyType[]
  /** Also accepted as query parameter `sdkKey`. */
  readonly inQuery?: boolean
  /** Also accepted as header `X-API-Key`. */
  readonly inApiKeyHeader?: boolean
  /** Accepted as path parameter `key` only. An unknown key returns 403. */
  readonly inPath?: boolean
  /** A short-lived stream token is accepted as query parameter `token` instead. */
  readonly inToken?: boolean
}

/** An access token: in `Authorization`, bare or after `Bearer `. */
export interface TokenCredential {
  readonly type: 'token'
  /** The permission that its holder needs. Operations of people about themselves need none. */
  readonly permission?: Permission
}

/** Checks a record without widening its type. */
export function defineOperation<const O extends Operation>(record: O): O {
  return record
}

type Part<O, K extends string, Direction extends 'input' | 'output'> = O extends {
  readonly [P in K]: infer S extends z.ZodType
}
  ? { readonly [P in K]: Direction extends 'input' ? z.input<S> : z.output<S> }
  : unknown

/** Makes a part optional if all its members are. */
type Optional<P> = P extends Readonly<Record<string, infer Q>> ? (object extends Q ? Partial<P> : P) : P

/** Makes the body optional if its schema accepts `undefined`. */
type OptionalBody<P> = P extends { readonly body: infer Body } ? (undefined extends Body ? Partial<P> : P) : P

/** The request of an operation: its `params`, `query`, `headers` and `body`, as far as it has them. */
export type OperationRequest<O extends Operation> = Part<O, 'params', 'input'> &
  Optional<Part<O, 'query', 'input'>> &
  Optional<Part<O, 'headers', 'input'>> &
  OptionalBody<Part<O, 'body', 'input'>>

/** The parsed request of an operation, as its handler receives it. */
export type Input<O extends Operation> = Part<O, 'params', 'output'> &
  Part<O, 'query', 'output'> &
  Part<O, 'headers', 'output'> &
  (O extends { readonly rawBody: object } ? RawInput : OptionalBody<Part<O, 'body', 'output'>>)

/** A body that is not validated. */
interface RawInput {
  /** The parsed body. */
  readonly body: unknown
  /** The text of the body, if it is short. */
  readonly text: string | undefined
}

/** The response body of an operation's success, or `undefined`. */
export type Output<O extends Operation> = O extends { readonly response: infer S extends z.ZodType }
  ? z.output<S> | (O extends { readonly noContent: 204 } ? undefined : never)
  : // biome-ignore lint/suspicious/noConfusingVoidType: handlers without a response body return nothing.
    void

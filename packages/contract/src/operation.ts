import type { z } from 'zod'
import type { Permission } from './permission.ts'

/**
 * One thing the API can do: where it is, what goes in, what comes out, who may call it. Routes, types, the OpenAPI
 * document and the client are all read from these records.
 */
export interface Operation {
  /** Unique among all operations; the name of its handler and of the client's method. */
  readonly id: string
  readonly summary: string
  /** What a caller should know beyond the summary. */
  readonly description?: string
  /** The heading it stands under. */
  readonly tag: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its parameters in braces: `/v1/variables/{key}`. */
  readonly path: string
  /** Other paths that published clients use for it. The server answers them; the OpenAPI document leaves them out. */
  readonly aliases?: readonly string[]
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** By their names in lower case. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
  /** Of an operation whose callers would repeat what is refused: its handler gets any JSON of so many bytes, and its answer says what was not taken. */
  readonly rawBody?: { readonly maxBytes: number }
  /** The status of success. */
  readonly status: 200 | 201
  /** The body of success; an operation without one answers nothing. */
  readonly response?: z.ZodType
  /** The status of success where there is nothing to answer, although there can be. */
  readonly noContent?: 204
  /** The form of the answer; one body of JSON, if it says nothing. */
  readonly responseKind?: ResponseKind
  /** Status → body of each refusal. */
  readonly errors: { readonly [status: number]: z.ZodType }
  readonly credential: SdkKeyCredential | TokenCredential
  /** Whether another operation has taken its place. */
  readonly isDeprecated?: boolean
}

/** The forms that an answer can have. */
export type ResponseKind =
  /** One page of a list, with the number of all items in the header `count`. */
  | 'list'
  /** The items of its list one to a line, as they come (NDJSON). */
  | 'lines'
  /** One body with an ETag; `If-None-Match` can turn it into a 304. */
  | 'conditional'
  /** The same, with a date and for shared caches: a file that changes now and then. */
  | 'download'
  /** Server-sent events, as they come, until one side hangs up. */
  | 'stream'

/** The kinds of key an SDK can present, in the order in which an environment has them. */
export const sdkKeyTypes = ['mobile', 'client', 'server'] as const

/** A kind of key an SDK can present. */
export type SdkKeyType = (typeof sdkKeyTypes)[number]

/** An SDK key of one of these types, in the `Authorization` header, bare or as Bearer, or in one of the other places named. */
export interface SdkKeyCredential {
  readonly type: 'sdkKey'
  readonly keyTypes: readonly SdkKeyType[]
  /** Whether the query parameter `sdkKey` may carry it. */
  readonly inQuery?: boolean
  /** Whether the header `X-API-Key` may carry it. */
  readonly inApiKeyHeader?: boolean
  /** Whether the path parameter `key` carries it, and nothing else does. Then one that is not known is answered 403. */
  readonly inPath?: boolean
  /** Whether the query parameter `token` may carry a short-lived one made from it instead. */
  readonly inToken?: boolean
}

/** An access token of the authorization server that has this permission, in the `Authorization` header, bare or as Bearer. */
export interface TokenCredential {
  readonly type: 'token'
  readonly permission: Permission
}

/** Keeps a record's own type while checking its form. */
export function defineOperation<const O extends Operation>(record: O): O {
  return record
}

type Part<O, K extends string, Direction extends 'input' | 'output'> = O extends {
  readonly [P in K]: infer S extends z.ZodType
}
  ? { readonly [P in K]: Direction extends 'input' ? z.input<S> : z.output<S> }
  : unknown

/** A part that says nothing when it is empty can be left out. */
type Optional<P> = P extends Readonly<Record<string, infer Q>> ? (object extends Q ? Partial<P> : P) : P

/** What a caller passes for an operation: its `params`, `query`, `headers` and `body`, those that it has. */
export type OperationRequest<O extends Operation> = Part<O, 'params', 'input'> &
  Optional<Part<O, 'query', 'input'>> &
  Optional<Part<O, 'headers', 'input'>> &
  Part<O, 'body', 'input'>

/** What a handler receives: the same parts, parsed. */
export type Input<O extends Operation> = Part<O, 'params', 'output'> &
  Part<O, 'query', 'output'> &
  Part<O, 'headers', 'output'> &
  (O extends { readonly rawBody: object } ? { readonly body: unknown } : Part<O, 'body', 'output'>)

/** What a handler answers and a caller gets: the body, or nothing. */
export type Output<O extends Operation> = O extends { readonly response: infer S extends z.ZodType }
  ? z.output<S> | (O extends { readonly noContent: 204 } ? undefined : never)
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to answer returns nothing.
    void

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
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The status of success. */
  readonly status: 200 | 201
  /** The body of success; an operation without one answers nothing. */
  readonly response?: z.ZodType
  /** Status → body of each refusal. */
  readonly errors: { readonly [status: number]: z.ZodType }
  readonly credential: SdkKeyCredential | TokenCredential
  /** Whether the answer is one page of a list, with the number of all items in the header `count`. */
  readonly isList?: boolean
  /** Whether the answer is the items of its list one to a line, as they come (NDJSON). */
  readonly isLines?: boolean
  /** Whether another operation has taken its place. */
  readonly isDeprecated?: boolean
  /** Whether the answer carries an ETag and `If-None-Match` can turn it into a 304. */
  readonly isConditional?: boolean
}

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
}

/** An access token of the authorization server that has this permission, in the `Authorization` header, bare or as Bearer. */
export interface TokenCredential {
  readonly type: 'token'
  readonly permission: Permission
}

/** Keeps a record's own type while checking its form. */
export function operation<const O extends Operation>(record: O): O {
  return record
}

type Part<O, K extends string, Direction extends 'input' | 'output'> = O extends {
  readonly [P in K]: infer S extends z.ZodType
}
  ? { readonly [P in K]: Direction extends 'input' ? z.input<S> : z.output<S> }
  : unknown

/** A part that says nothing when it is empty can be left out. */
type Optional<P> = P extends { readonly query: infer Q } ? (object extends Q ? { readonly query?: Q } : P) : P

/** What a caller passes for an operation: its `params`, `query` and `body`, those that it has. */
export type Request<O extends Operation> = Part<O, 'params', 'input'> &
  Optional<Part<O, 'query', 'input'>> &
  Part<O, 'body', 'input'>

/** What a handler receives: the same parts, parsed. */
export type Input<O extends Operation> = Part<O, 'params', 'output'> &
  Part<O, 'query', 'output'> &
  Part<O, 'body', 'output'>

/** What a handler answers and a caller gets: the body, or nothing. */
export type Output<O extends Operation> = O extends { readonly response: infer S extends z.ZodType }
  ? z.output<S>
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to answer returns nothing.
    void

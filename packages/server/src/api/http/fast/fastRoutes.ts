import type { IncomingHttpHeaders } from 'node:http'
import { type Operation, operations, type SdkKeyCredential } from '@burgee/contract'
import { EvaluationRequest, isPlainEvaluationRequest, isPlainUser, User } from '@burgee/contract/schemas'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Surface } from '../../../identity/requestState.ts'
import { setWithinLimit } from '../../../lib/object.ts'
import type { Handlers, RequestConnection } from '../../handlers/shared/handler.ts'
import { parseValid } from '../request/parseRequestPart.ts'
import { parseSmallBody, parseSmallRawBody } from '../request/readBody.ts'
import { surfaceOf } from '../surface.ts'

/** The parts of a request that a handler reads; those that its operation does not have are undefined. */
export type FastInput = Readonly<Record<'params' | 'query' | 'headers' | 'body' | 'text', unknown>>

/** A handler of an operation that takes an SDK key. */
type KeyHandler = (input: FastInput, caller: KeyConfig, connection: RequestConnection) => unknown

/** What the fast path reads of an operation, prepared from its record. */
export interface FastRoute {
  readonly record: Operation & { readonly body: NonNullable<Operation['body']> }
  readonly credential: SdkKeyCredential
  readonly surface: Surface
  readonly handle: KeyHandler
  /** The name of the path parameter. */
  readonly parameter: string | undefined
  /** The query of a request that has none, parsed. */
  readonly defaultQuery: unknown
  /** Parses the headers that the operation reads; undefined if one is invalid. */
  readonly parseHeaders: (headers: IncomingHttpHeaders) => { readonly data: unknown } | undefined
  /** Parses the value of the path parameter; undefined if it is invalid. */
  readonly parseParams: (value: string) => { readonly data: unknown } | undefined
  /**
   * Parses a body; undefined if it is invalid.
   * @throws {HttpError} 400 if it is not JSON.
   */
  readonly parseBody: (bytes: Buffer) => { readonly body: unknown; readonly text?: string | undefined } | undefined
}

/** A route with the value of its path parameter. */
export interface FoundRoute {
  readonly route: FastRoute
  readonly value: string | undefined
}

/** Finds the route of a URL without a query and without percent-encoding; undefined if there is none. */
export type FindFastRoute = (method: string | undefined, url: string | undefined) => FoundRoute | undefined

/**
 * Compiles the records of the operations that the fast path supports: those that take an SDK key in a header and a JSON
 * body, and respond with a JSON body. A request is found by its whole path, or by what precedes the last slash.
 */
export function compileFastRoutes(handlers: Partial<Handlers>): FindFastRoute {
  const whole = new Map<string, FoundRoute>()
  const beforeParameter = new Map<string, FastRoute>()
  for (const record of Object.values<Operation>(operations)) {
    const route = toRoute(record, handlers)
    if (!route) continue
    for (const path of [record.path, ...(record.aliases ?? [])]) {
      if (route.parameter === undefined) whole.set(path, { route, value: undefined })
      else beforeParameter.set(path.slice(0, path.lastIndexOf('/') + 1), route)
    }
  }
  return (method, url = '') => {
    if (method !== 'POST') return undefined
    const found = whole.get(url)
    if (found) return found
    const start = url.lastIndexOf('/') + 1
    const route = beforeParameter.get(url.slice(0, start))
    const value = url.slice(start)
    return route && PLAIN.test(value) ? { route, value } : undefined
  }
}

/** The characters of a path segment that are the same before and after decoding. */
const PLAIN = /^[\w.-]+$/

function toRoute(record: Operation, handlers: Partial<Handlers>): FastRoute | undefined {
  const { body, rawBody, credential, responseKind, path, query, headers } = record
  // The types of a handler come from the same record that parses the input and authenticates the caller.
  const handle = handlers[record.id as keyof Handlers] as KeyHandler | undefined
  const isSupported =
    record.method === 'POST' &&
    !record.accessLog &&
    !record.hasRevision &&
    !record.noContent &&
    record.response !== undefined &&
    (responseKind === undefined || responseKind === 'conditional')
  const [, parameter] = /^[^{]*\/\{(\w+)\}$/.exec(path) ?? []
  if (!handle || !body || !isSupported || (parameter === undefined && path.includes('{'))) return undefined
  if (credential.type !== 'sdkKey' || credential.inPath || credential.inToken) return undefined
  const noQuery = query?.safeParse({})
  // A required query parameter is never missing from a request that succeeds.
  if (noQuery?.success === false) return undefined
  return {
    record: { ...record, body },
    credential,
    surface: surfaceOf(record),
    handle,
    parameter,
    parseParams: createParamsParser(record, parameter ?? ''),
    parseHeaders: createHeadersParser(headers),
    parseBody: createBodyParser(body, rawBody),
    defaultQuery: noQuery?.data
  }
}

/** Creates the parser of a body, which leaves out the schema for what it accepts as it is. */
function createBodyParser(
  schema: NonNullable<Operation['body']>,
  rawBody: Operation['rawBody']
): FastRoute['parseBody'] {
  if (rawBody) return (bytes) => parseSmallRawBody(bytes, rawBody)
  const isPlain = plainBodies.get(schema)
  return (bytes) => {
    const value = parseSmallBody(bytes)
    if (isPlain?.(value)) return { body: value }
    const parsed = parseValid(schema, value)
    return parsed && { body: parsed.data }
  }
}

/** Creates the parser of headers, which remembers the result for requests that have none of them. */
function createHeadersParser(schema: Operation['headers']): FastRoute['parseHeaders'] {
  if (!schema) return () => NO_HEADERS
  const names = Object.keys(schema.shape)
  const absent = parseValid(schema, {})
  return (headers) => (names.some((name) => headers[name] !== undefined) ? parseValid(schema, headers) : absent)
}

const NO_HEADERS = { data: undefined }

const plainBodies: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<unknown, (value: unknown) => boolean>([
  [User, isPlainUser],
  [EvaluationRequest, isPlainEvaluationRequest]
])

/** Creates the parser of a path parameter. It remembers valid values: most are keys of variables. */
function createParamsParser({ params }: Operation, parameter: string): FastRoute['parseParams'] {
  const valid = new Map<string, { readonly data: unknown }>()
  return (value) => {
    const known = valid.get(value)
    if (known) return known
    const parsed = params && parseValid(params, { [parameter]: value })
    if (parsed) setWithinLimit(valid, MAX_VALUES, value, parsed)
    return parsed
  }
}

const MAX_VALUES = 1_000

import type { IncomingHttpHeaders } from 'node:http'
import { type ParsedUrlQuery, parse as parseQueryString } from 'node:querystring'
import { type Operation, operations, type SdkKeyCredential } from '@burgee/contract'
import {
  ClientQuery,
  EvaluationRequest,
  isPlainClientQuery,
  isPlainEvaluationRequest,
  isPlainUser,
  User
} from '@burgee/contract/schemas'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { Surface } from '../../../identity/requestState.ts'
import { setWithinLimit } from '../../../lib/object.ts'
import type { Handlers, RequestConnection } from '../../handlers/shared/handler.ts'
import { parseValid } from '../request/parseRequestPart.ts'
import { parseSmallBody, parseSmallRawBody } from '../request/readBody.ts'
import { hasLists, isDecodable, toQueryMembers } from '../request/requestUrl.ts'
import { surfaceOf } from '../surface.ts'

/** The parts of a request that a handler reads; those that its operation does not have are undefined. */
export type FastInput = Readonly<Record<'params' | 'query' | 'headers' | 'body' | 'text', unknown>>

/** A handler of an operation that takes an SDK key. */
type KeyHandler = (input: FastInput, caller: KeyConfig, connection: RequestConnection) => unknown

/** What the fast path reads of an operation, prepared from its record. */
export interface FastRoute {
  readonly record: Operation
  readonly credential: SdkKeyCredential
  readonly surface: Surface
  readonly handle: KeyHandler
  /** The name of the path parameter. */
  readonly parameter: string | undefined
  /** What follows the path parameter. */
  readonly suffix: string
  /** Parses a query; undefined if it is invalid. */
  readonly parseQuery: (query: ParsedUrlQuery) => { readonly data: unknown } | undefined
  /** Parses the headers that the operation reads; undefined if one is invalid. */
  readonly parseHeaders: (headers: IncomingHttpHeaders) => { readonly data: unknown } | undefined
  /** Parses the value of the path parameter; undefined if it is invalid. */
  readonly parseParams: (value: string) => { readonly data: unknown } | undefined
  /**
   * Parses a body; undefined if it is invalid. Undefined for operations without one.
   * @throws {HttpError} 400 if it is not JSON.
   */
  readonly parseBody:
    | ((bytes: Buffer) => { readonly body: unknown; readonly text?: string | undefined } | undefined)
    | undefined
}

/** A route with the value of its path parameter, and the query of the request. */
export interface FoundRoute {
  readonly route: FastRoute
  readonly value: string | undefined
  readonly query: ParsedUrlQuery
}

/**
 * Finds the route of a URL with a path without percent-encoding; undefined if there is none. Only operations with the
 * method GET and parameters can have a query.
 */
export type FindFastRoute = (method: string | undefined, url: string | undefined) => FoundRoute | undefined

/**
 * Compiles the records of the operations that the fast path supports: those that take an SDK key and a JSON body or
 * none, and respond with a JSON body. A request is found by its whole path, or by what precedes the last slash.
 */
export function compileFastRoutes(handlers: Partial<Handlers>): FindFastRoute {
  const tables: Readonly<Record<string, RouteTable>> = { GET: createTable(), POST: createTable() }
  for (const record of Object.values<Operation>(operations)) {
    const route = toRoute(record, handlers)
    const table = tables[record.method]
    if (!route || !table) continue
    for (const path of [record.path, ...(record.aliases ?? [])]) {
      if (route.parameter !== undefined) table.beforeParameter.set(path.slice(0, path.lastIndexOf('/') + 1), route)
      else if (record.method === 'GET' && record.query) table.beforeQuery.set(path, route)
      else table.whole.set(path, { route, value: undefined, query: NO_QUERY })
    }
  }
  return (method = '', url = '') => {
    const table = method === 'POST' || method === 'GET' ? tables[method] : undefined
    if (!table) return undefined
    return table.whole.get(url) ?? findByQuery(table, url) ?? findByParameter(table, url)
  }
}

/** The routes of a method. */
interface RouteTable {
  readonly whole: Map<string, FoundRoute>
  readonly beforeQuery: Map<string, FastRoute>
  readonly beforeParameter: Map<string, FastRoute>
}

function createTable(): RouteTable {
  return { whole: new Map(), beforeQuery: new Map(), beforeParameter: new Map() }
}

function findByQuery({ beforeQuery }: RouteTable, url: string): FoundRoute | undefined {
  const end = beforeQuery.size === 0 ? -1 : url.indexOf('?')
  const route = end === -1 ? undefined : beforeQuery.get(url.slice(0, end))
  if (!route) return undefined
  const text = url.slice(end + 1)
  if (!PLAIN_QUERY.test(text) || !isDecodable(text)) return undefined
  return { route, value: undefined, query: parseQueryString(text) }
}

function findByParameter({ beforeParameter }: RouteTable, url: string): FoundRoute | undefined {
  const start = url.lastIndexOf('/') + 1
  const route = beforeParameter.get(url.slice(0, start))
  if (!route?.suffix) {
    const value = url.slice(start)
    return route && isPlainSegment(value) ? { route, value, query: NO_QUERY } : undefined
  }
  const value = url.slice(start, -route.suffix.length)
  return url.endsWith(route.suffix) && isPlainSegment(value) ? { route, value, query: NO_QUERY } : undefined
}

const NO_QUERY: ParsedUrlQuery = {}

/** Whether a path segment, or a value of a query, is the same before and after decoding. */
export function isPlainSegment(value: unknown): value is string {
  return typeof value === 'string' && PLAIN.test(value)
}

const PLAIN = /^[\w.-]+$/

/** Parsers of URLs differ about other characters. */
const PLAIN_QUERY = /^[\w.~!*'()%+&=:;,@$/[\]-]+$/

function toRoute(record: Operation, handlers: Partial<Handlers>): FastRoute | undefined {
  const { body, rawBody, credential, responseKind, path, query, headers } = record
  // The types of a handler come from the same record that parses the input and authenticates the caller.
  const handle = handlers[record.id as keyof Handlers] as KeyHandler | undefined
  const isSupported =
    (record.method === 'GET' ? !body : record.method === 'POST' && body !== undefined) &&
    !record.accessLog &&
    !record.hasRevision &&
    !record.noContent &&
    record.response !== undefined &&
    (responseKind === undefined || responseKind === 'conditional' || responseKind === 'download')
  const [, parameter, suffix = ''] = /^[^{]*\/\{(\w+)\}([^/{}]*)$/.exec(path) ?? []
  if (!handle || !isSupported || (parameter === undefined && path.includes('{'))) return undefined
  if (credential.type !== 'sdkKey' || credential.inToken) return undefined
  return {
    record,
    credential,
    surface: surfaceOf(record),
    handle,
    parameter,
    suffix,
    parseParams: createParamsParser(record, parameter ?? ''),
    parseHeaders: createHeadersParser(headers),
    parseQuery: createQueryParser(query),
    parseBody: body && createBodyParser(body, rawBody)
  }
}

/**
 * Creates the parser of a query. It caches the result for requests without a query, and skips the schema for queries
 * that the schema would accept unchanged.
 */
function createQueryParser(schema: Operation['query']): FastRoute['parseQuery'] {
  const none = schema ? parseValid(schema, {}) : NOTHING
  const isPlain = schema === ClientQuery ? isPlainClientQuery : undefined
  return (query) => {
    if (query === NO_QUERY || !schema) return none
    // Not copied: a copy takes longer than these checks.
    if (isPlain?.(query) && !hasLists(query)) return { data: query }
    return parseValid(schema, toQueryMembers(query))
  }
}

/** Creates the parser of a body, which leaves out the schema for what it accepts as it is. */
function createBodyParser(
  schema: NonNullable<Operation['body']>,
  rawBody: Operation['rawBody']
): NonNullable<FastRoute['parseBody']> {
  if (rawBody) return (bytes) => parseSmallRawBody(bytes, rawBody)
  const isPlain = plainBodies.get(schema)
  return (bytes) => {
    const value = parseSmallBody(bytes)
    if (isPlain?.(value)) return { body: value }
    const parsed = parseValid(schema, value)
    return parsed && { body: parsed.data }
  }
}

/** Creates the parser of headers, which caches the result for requests that have none of them. */
function createHeadersParser(schema: Operation['headers']): FastRoute['parseHeaders'] {
  if (!schema) return () => NOTHING
  const names = Object.keys(schema.shape)
  const absent = parseValid(schema, {})
  return (headers) => (names.some((name) => headers[name] !== undefined) ? parseValid(schema, headers) : absent)
}

const NOTHING = { data: undefined }

const plainBodies: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<unknown, (value: unknown) => boolean>([
  [User, isPlainUser],
  [EvaluationRequest, isPlainEvaluationRequest]
])

/** Creates the parser of a path parameter. It caches valid values: most are keys of variables. */
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StartedRequest } from '../requestLog.ts'
import type { FastInput, FoundRoute } from './fastRoutes.ts'

/** A request on the fast path. */
export interface Exchange extends FoundRoute, StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Returns the input of the handler; undefined if a part of the request does not match its schema.
 * @throws {HttpError} 400 if the body is not JSON.
 */
export function parseInput(
  { route, value, query: given, request }: Exchange,
  bytes: Buffer | undefined
): FastInput | undefined {
  const headers = route.parseHeaders(request.headers)
  const params = value === undefined ? NOTHING : route.parseParams(value)
  const query = route.parseQuery(given)
  const parsed = headers && params && query && (bytes && route.parseBody ? route.parseBody(bytes) : NO_BODY)
  if (!parsed) return undefined
  const { body, text } = parsed
  return { params: params.data, query: query.data, headers: headers.data, body, text }
}

const NOTHING = { data: undefined }
const NO_BODY = { body: undefined, text: undefined }

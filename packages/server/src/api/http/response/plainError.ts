import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'

/** Returns the body of an error response that bypasses the application, in the format of both APIs. */
export function plainErrorBody(statusCode: number, message: string): string {
  return JSON.stringify({ statusCode, message, error: STATUS_CODES[statusCode] })
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an error response that bypasses the application. */
export function sendPlainError(
  response: ServerResponse,
  statusCode: number,
  message: string,
  headers: OutgoingHttpHeaders = {}
): void {
  const body = plainErrorBody(statusCode, message)
  response
    .writeHead(statusCode, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), ...headers })
    .end(body)
}

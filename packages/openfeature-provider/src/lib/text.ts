import { TextDecoder } from 'node:util'

/** Returns a decoder of documents: bytes that are not UTF-8 are an error, and a byte order mark is left out. */
export function documentDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true })
}

/** Returns the message of an error and its cause: `fetch failed` alone does not contain the reason. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message
}

import { REQUEST_TIMEOUT_MS } from '@burgee/contract/client'
import { timeoutSignal } from '@burgee/kit'
import { InvalidResponseError } from './signInError.ts'

/** `fetch` with a timeout and a limit on the size of responses, for commands. */
export const limitedFetch: typeof fetch = (input, init) => {
  return boundedFetch(input, { ...init, signal: timeoutSignal(REQUEST_TIMEOUT_MS, ...[init?.signal ?? []].flat()) })
}

/** The largest response, in bytes; responses of a Burgee server are far smaller. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

/** `fetch` with a limit on the size of responses: the address of a sign-in is not trusted yet. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const { body, status, statusText, headers } = await fetch(input, init)
  return new Response(body && limitBody(body), { status, statusText, headers })
}

function tooLarge(): InvalidResponseError {
  return new InvalidResponseError(`the response is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB`)
}

/** Limits the size of the body of a response. Reading a larger one rejects with an `InvalidResponseError`. */
export function limitBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let size = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      size += chunk.length
      if (size <= MAX_RESPONSE_BYTES) controller.enqueue(chunk)
      else controller.error(tooLarge())
    }
  })
  return body.pipeThrough(counter)
}

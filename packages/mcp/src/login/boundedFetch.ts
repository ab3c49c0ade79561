import { SignInError } from './signInError.ts'

/** The largest answer that is read, in bytes: many times what a Burgee server answers at once. */
const LARGEST = 16 * 1024 * 1024

/** `fetch`, for answers of servers that may be anybody's: one that does not end fails. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const { body, status, statusText, headers } = await fetch(input, init)
  return new Response(body && bounded(body), { status, statusText, headers })
}

function bounded(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let size = 0
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      size += chunk.length
      if (size <= LARGEST) controller.enqueue(chunk)
      else controller.error(new SignInError(`the server answers more than ${LARGEST} bytes, as no Burgee server does`))
    }
  })
  return body.pipeThrough(count)
}

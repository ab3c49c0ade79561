import { createReadStream } from 'node:fs'

/** The lines of a file of any size, or of its first `length` bytes, one after another, without their line feeds. @throws where they are not UTF-8. */
export async function* readLines(path: string, length?: number): AsyncGenerator<string, void> {
  for await (const line of readLineBytes(path, length)) yield decodeLine(line)
}

/**
 * The bytes of each of those lines, or of those that begin at `start`.
 * Node's `readline` also ends a line at U+2028, which JSON text may contain.
 */
export async function* readLineBytes(
  path: string,
  length = Number.POSITIVE_INFINITY,
  start = 0
): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  // A stream that is to end before its first byte is refused.
  if (length <= start) return
  let begun: Buffer[] = []
  // Without an encoding, a stream's chunks are buffers.
  for await (const chunk of createReadStream(path, { start, end: length - 1 }) as AsyncIterable<Buffer>) {
    let next = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', next)) {
      yield Buffer.concat([...begun, chunk.subarray(next, end)])
      begun = []
      next = end + 1
    }
    begun.push(chunk.subarray(next))
  }
  const last = Buffer.concat(begun)
  if (last.length > 0) yield last
}

/** The text of a line. @throws {TypeError} when it is not UTF-8. */
export function decodeLine(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

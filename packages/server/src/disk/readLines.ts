import { createReadStream } from 'node:fs'

/**
 * The lines of a file of any size, or of its first `length` bytes, one after another, without their line feeds.
 * Node's `readline` also ends a line at U+2028, which JSON text may contain.
 */
export async function* readLines(path: string, length = Number.POSITIVE_INFINITY): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let begun: Buffer[] = []
  // Without an encoding, a stream's chunks are buffers.
  for await (const chunk of createReadStream(path, { end: length - 1 }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield decoder.decode(Buffer.concat([...begun, chunk.subarray(start, end)]))
      begun = []
      start = end + 1
    }
    begun.push(chunk.subarray(start))
  }
  const last = Buffer.concat(begun)
  if (last.length > 0) yield decoder.decode(last)
}

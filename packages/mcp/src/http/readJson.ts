import type { IncomingMessage } from 'node:http'
import { measureJson } from '@burgee/kit/text'
import { isJsonContentType } from '@modelcontextprotocol/server'
import { refusal } from './refusal.ts'

/** The largest body that is read, in bytes: as large as the API takes. */
export const LARGEST_BODY = 1024 * 1024

/** How deep a body may nest: more than the API takes, so that the tools can tell what is wrong. */
const DEEPEST = 64

/** Reads the JSON of a request; an answer that refuses it, when there is none or it is too much. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers
  if (!isJsonContentType(type)) return refusal(415, `content-type should be application/json, got ${type ?? 'none'}`)
  if (encoding !== 'identity') return refusal(415, `content-encoding should be identity, got ${encoding}`)
  try {
    const bytes = await collect(request)
    if (bytes === undefined) return refusal(413, `the body is larger than ${LARGEST_BODY} bytes`)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (measureJson(text).depth > DEEPEST)
      return refusal(400, `the body nests deeper than ${DEEPEST} levels`, { code: UNREADABLE })
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refusal(400, `the body is not JSON in UTF-8: ${reason}`, { code: UNREADABLE })
  }
}

/** What JSON-RPC calls a body that is not JSON. */
const UNREADABLE = -32_700

/** All bytes of a body; none when they are too many. */
async function collect(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // A request that is destroyed at an early end takes the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > LARGEST_BODY) break
    chunks.push(chunk)
  }
  // Who is still sending reads the answer only once the rest has gone somewhere.
  request.resume()
  return size > LARGEST_BODY ? undefined : Buffer.concat(chunks)
}

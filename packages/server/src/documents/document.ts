import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ConfigVersion } from '../configs/versions.ts'
import { toJson } from './toJson.ts'

/** A document that is served as it is, and the encodings it is kept in. */
export interface Document extends ConfigVersion {
  /** Its JSON text in an encoding. */
  readonly in: (encoding: Encoding) => Promise<Buffer>
}

/** How a document can be encoded, as HTTP calls it. */
export type Encoding = 'identity' | 'gzip' | 'br'

/**
 * A version of a document. What it says is asked for when somebody first wants it, and then never again: the text and
 * its compressed forms are made once for all who want them, also for those who come while they are made. They stay in
 * memory as long as the document does. Compression is done off the event loop.
 */
export function makeDocument({ etag, lastModified }: ConfigVersion, content: () => object): Document {
  const made = new Map<Encoding, Promise<Buffer>>()
  const make: { readonly [E in Encoding]: () => Promise<Buffer> } = {
    identity: async () => toJson(content()),
    gzip: async () => compressGzip(await encoded('identity')),
    br: async () => {
      const text = await encoded('identity')
      return compressBrotli(text, { params: { ...brotli, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
    }
  }
  const encoded = (encoding: Encoding): Promise<Buffer> => {
    const known = made.get(encoding)
    if (known !== undefined) return known
    const making = make[encoding]()
    made.set(encoding, making)
    // One that fails is made again for the next who asks.
    making.catch(() => made.delete(encoding))
    return making
  }
  return { etag, lastModified, in: encoded }
}

const compressGzip = promisify(gzip)
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress)

// Higher qualities take three times as long for a config and more, and save nothing to speak of.
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }

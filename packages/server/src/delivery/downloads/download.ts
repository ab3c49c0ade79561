import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type ConfigVersion, toEtag } from '../configs/configVersions.ts'
import { toJsonBuffer } from './toJsonBuffer.ts'

/** What is served as it is, and the encodings it is kept in. */
export interface Download<Content extends object = object> {
  readonly etag: string
  readonly lastModified: number
  readonly content: () => Content
  /** The JSON text of its content in an encoding. */
  readonly encode: (encoding: ContentEncoding) => Promise<Buffer>
}

/** How a download can be encoded, as HTTP calls it. */
export type ContentEncoding = 'identity' | 'gzip' | 'br'

/**
 * The download of a version. What it says is asked for when somebody first wants it, and then never again: the text and
 * its compressed forms are made once for all who want them, also for those who come while they are made. They stay in
 * memory as long as the download does. Compression is done off the event loop.
 */
export function createDownload<Content extends object>(
  version: ConfigVersion,
  content: () => Content
): Download<Content> {
  const made = new Map<ContentEncoding, Promise<Buffer>>()
  const make: { readonly [E in ContentEncoding]: () => Promise<Buffer> } = {
    identity: async () => toJsonBuffer(content()),
    gzip: async () => compressGzip(await encoded('identity')),
    br: async () => {
      const text = await encoded('identity')
      return compressBrotli(text, { params: { ...brotli, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
    }
  }
  const encoded = (encoding: ContentEncoding): Promise<Buffer> => {
    const known = made.get(encoding)
    if (known !== undefined) return known
    const making = make[encoding]()
    made.set(encoding, making)
    // One that fails is made again for the next who asks.
    making.catch(() => made.delete(encoding))
    return making
  }
  return { etag: toEtag(version), lastModified: version.lastModified, content, encode: encoded }
}

const compressGzip = promisify(gzip)
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress)

// Higher qualities take three times as long for a config and more, and save nothing to speak of.
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type ConfigVersion, toEtag } from '../configs/configVersions.ts'
import { toJsonBuffer } from './toJsonBuffer.ts'

/** A response body with its encoded forms. */
export interface Download<Content extends object = object> {
  readonly etag: string
  readonly lastModified: number
  readonly content: () => Content
  /** The body in an encoding. */
  readonly encode: (encoding: ContentEncoding) => Promise<Buffer>
}

/** The supported content encodings, as HTTP names them. */
export type ContentEncoding = 'identity' | 'gzip' | 'br'

/** The download of a config version. Its content is built on first use. */
export function createDownload<Content extends object>(
  version: ConfigVersion,
  content: () => Content
): Download<Content> {
  const encode = createEncoder(() => toJsonBuffer(content()))
  return { etag: toEtag(version), lastModified: version.lastModified, content, encode }
}

/**
 * Creates the encoder of a text. The text and its compressed forms are built once and shared, including by requests
 * that arrive meanwhile. They stay in memory as long as the encoder. Compression runs off the event loop.
 */
export function createEncoder(build: () => Promise<Buffer>): Download['encode'] {
  const cache = new Map<ContentEncoding, Promise<Buffer>>()
  const encoders: { readonly [E in ContentEncoding]: () => Promise<Buffer> } = {
    identity: build,
    gzip: async () => compressGzip(await encoded('identity')),
    br: async () => {
      const text = await encoded('identity')
      return compressBrotli(text, { params: { ...brotli, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
    }
  }
  const encoded = (encoding: ContentEncoding): Promise<Buffer> => {
    const known = cache.get(encoding)
    if (known !== undefined) return known
    const pending = encoders[encoding]()
    cache.set(encoding, pending)
    // A failed build is retried by the next request.
    pending.catch(() => cache.delete(encoding))
    return pending
  }
  return encoded
}

const compressGzip = promisify(gzip)
const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress)

// Higher qualities take three times as long for a config and save almost nothing.
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }

import type { ContentEncoding } from '../../../delivery/downloads/download.ts'
import { setWithinLimit } from '../../../lib/object.ts'

/** In order of preference, smallest output first: most clients accept several with the same quality. */
const encodings = ['br', 'gzip', 'identity'] as const satisfies readonly ContentEncoding[]

/** Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110 §12.5.3); the smallest on a tie. */
export function negotiateEncoding(header: string): ContentEncoding {
  const known = negotiated.get(header)
  if (known) return known
  const encoding = negotiate(header)
  if (header.length <= MAX_LENGTH) setWithinLimit(negotiated, MAX_HEADERS, header, encoding)
  return encoding
}

/** Most clients send one of a few headers. */
const negotiated = new Map<string, ContentEncoding>()

const MAX_HEADERS = 100
const MAX_LENGTH = 256

function negotiate(header: string): ContentEncoding {
  const qualities = new Map(header.toLowerCase().split(',').map(parsePreference))
  const qualityOf = (encoding: ContentEncoding): number => {
    // `identity` is acceptable without being named, but named encodings are preferred.
    return qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? LOWEST_QUALITY : 0)
  }
  const [best] = encodings.filter((one) => qualityOf(one) > 0).sort((a, b) => qualityOf(b) - qualityOf(a))
  // A client that accepts none of them gets `identity`.
  return best ?? 'identity'
}

/** Below every quality that a header can express, which have three digits. */
const LOWEST_QUALITY = 0.0001

function parsePreference(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, quality === undefined ? 1 : Number(quality.slice(2))]
}

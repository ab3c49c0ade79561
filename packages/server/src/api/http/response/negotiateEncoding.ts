import type { ContentEncoding } from '../../../delivery/downloads/download.ts'

/** Smallest first: callers mostly like those that they can read alike. */
const encodings = ['br', 'gzip', 'identity'] as const satisfies readonly ContentEncoding[]

/** The encoding that an `Accept-Encoding` header likes best (RFC 9110 §12.5.3); of several, the smallest. */
export function negotiateEncoding(header: string): ContentEncoding {
  const qualities = new Map(header.toLowerCase().split(',').map(readPreference))
  const qualityOf = (encoding: ContentEncoding): number => {
    // Nobody has to name `identity`; whoever names something else likes that better.
    return qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? LEAST : 0)
  }
  const [best] = encodings.filter((one) => qualityOf(one) > 0).sort((a, b) => qualityOf(b) - qualityOf(a))
  // One who takes nothing that there is gets what everybody can read.
  return best ?? 'identity'
}

/** Qualities have three digits. */
const LEAST = 0.0001

function readPreference(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, quality === undefined ? 1 : Number(quality.slice(2))]
}

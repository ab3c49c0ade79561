import type { OutboundRequest } from './safeFetch.ts'

/**
 * Returns the beginning of a response body for users: unprintable characters are replaced, and echoed secrets masked.
 */
export function toExcerpt(text: string, request: OutboundRequest): string {
  const masked = secretsIn(request).reduce((rest, secret) => rest.replaceAll(secret, '****'), text)
  const printable = masked.replace(/[^\P{C}\n\t]/gu, '\uFFFD')
  return [...printable].slice(0, MAX_EXCERPT_LENGTH).join('')
}

const MAX_EXCERPT_LENGTH = 1000

/** The secrets of a request: the credential in its header, and long parts of its URL, which can contain tokens. */
function secretsIn({ url, headers }: OutboundRequest): readonly string[] {
  const { pathname, search } = new URL(url)
  const credentials = Object.entries(headers).flatMap(([name, value]) => {
    return name.toLowerCase() === 'authorization' ? value.split(' ').slice(-1) : []
  })
  const parts = `${pathname}${search}`.split(/[/?&=]/)
  const written = [...credentials, ...parts.flatMap((part) => [part, decoded(part)])]
  // Longest first: a secret can be a prefix of another.
  return written.filter(({ length }) => length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

const MIN_SECRET_LENGTH = 8

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

import type { OutboundRequest } from './safeFetch.ts'

/** The beginning of an answer, as people may see it: without what cannot be printed, and without secrets that it repeats. */
export function toExcerpt(text: string, request: OutboundRequest): string {
  const told = secretsIn(request).reduce((rest, secret) => rest.replaceAll(secret, '****'), text)
  const printable = told.replace(/[^\P{C}\n\t]/gu, '\uFFFD')
  return [...printable].slice(0, MAX_EXCERPT_LENGTH).join('')
}

const MAX_EXCERPT_LENGTH = 1000

/** What lets us in at a receiver: the credential in a header, and the long parts of an address, which callers are known by. */
function secretsIn({ url, headers }: OutboundRequest): readonly string[] {
  const { pathname, search } = new URL(url)
  const credentials = Object.entries(headers).flatMap(([name, value]) => {
    return name.toLowerCase() === 'authorization' ? value.split(' ').slice(-1) : []
  })
  const parts = `${pathname}${search}`.split(/[/?&=]/)
  const written = [...credentials, ...parts.flatMap((part) => [part, decoded(part)])]
  // The longest first: one may be the beginning of another.
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

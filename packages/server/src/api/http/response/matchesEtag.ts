/** Whether an `If-None-Match` header names this ETag: it may be a list, weak, bare, or `*` (RFC 9110 §13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => candidate.trim() === '*' || opaque(candidate) === opaque(etag))
}

function opaque(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
}

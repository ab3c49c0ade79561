/**
 * Whether an `If-None-Match` header matches an ETag: the header may be a list, weak, unquoted, or `*` (RFC 9110
 * §13.1.2).
 */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => candidate.trim() === '*' || opaqueTag(candidate) === opaqueTag(etag))
}

function opaqueTag(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
}

/** Writes an opaque tag as a strong ETag. */
export function toStrongEtag(tag: string): string {
  return `"${tag}"`
}

/** Writes an opaque tag as a weak ETag, for responses with several encodings (RFC 9110 §8.8.3.3). */
export function toWeakEtag(tag: string): string {
  return `W/"${tag}"`
}

/** Returns the opaque tags of an `If-Match` or `If-None-Match` header, which may be weak or without quotes. */
export function parseEtags(header: string): readonly string[] {
  return header.split(',').map(opaqueTag)
}

/** Whether an `If-Match` or `If-None-Match` header matches every ETag. A quoted `*` is an ETag like any other. */
export function matchesEveryEtag(header: string): boolean {
  return header.trim() === '*'
}

/**
 * Whether an `If-None-Match` header matches an ETag: the header may be a list, weak, unquoted, or `*` (RFC 9110
 * §13.1.2).
 */
export function matchesEtag(header: string, etag: string): boolean {
  return matchesEveryEtag(header) || parseEtags(header).includes(opaqueTag(etag))
}

function opaqueTag(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
}

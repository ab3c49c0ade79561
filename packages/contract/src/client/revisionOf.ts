/**
 * Returns the revision of the resource in a response: the `ETag` to send in `If-Match`. Returns `undefined` for
 * responses without one, such as lists.
 *
 * @example
 * const audience = await burgee.getAudience({ params })
 * await burgee.updateAudience({ params, headers: { 'if-match': revisionOf(audience) }, body: { name: 'Beta' } })
 */
export function revisionOf(response: object): string | undefined {
  return revisions.get(response)
}

/** Remembers the `ETag` of a response for `revisionOf`. The methods of a client return plain bodies. */
export function setRevision(response: unknown, etag: string | null): void {
  if (etag !== null && typeof response === 'object' && response !== null) revisions.set(response, etag)
}

const revisions = new WeakMap<object, string>()

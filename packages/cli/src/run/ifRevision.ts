/** The headers of a request that fails if the resource has another revision; none for an unknown revision. */
export function ifRevision(revision: string | undefined): { readonly headers?: { readonly 'if-match': string } } {
  return revision === undefined ? {} : { headers: { 'if-match': revision } }
}

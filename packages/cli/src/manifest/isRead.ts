/** Whether a request changes nothing: some operations that only read have a body. `path` can be an address. */
export function isRead({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'GET' || /\/(explain|preview|validate)(\?|$)/.test(path)
}

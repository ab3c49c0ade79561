/** Whether a request changes nothing. Some operations that only read use POST. `path` can be a whole URL. */
export function isRead({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'GET' || /\/(explain|preview|validate)(\?|$)/.test(path)
}

/**
 * Returns the creator of a resource. Resources that the server created itself, such as the demo project, name the
 * server.
 */
export function createdBy({ _createdBy = 'burgee' }: { readonly _createdBy?: string }): string {
  return _createdBy
}

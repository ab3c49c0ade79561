/** Who made a resource. What the server made by itself, such as the demo project, it signs with its own name. */
export function createdBy({ _createdBy = 'burgee' }: { readonly _createdBy?: string }): string {
  return _createdBy
}

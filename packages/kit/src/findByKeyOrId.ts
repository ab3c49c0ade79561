/** Returns the item with this key, else with this id. */
export function findByKeyOrId<T extends { readonly _id: string; readonly key: string }>(
  items: readonly T[],
  reference: string
): T | undefined {
  return items.find(({ key }) => key === reference) ?? items.find(({ _id }) => _id === reference)
}

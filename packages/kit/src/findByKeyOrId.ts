/** Returns the item with this id, else with this key: a key that equals the id of another item must not replace it. */
export function findByKeyOrId<T extends { readonly _id: string; readonly key: string }>(
  items: readonly T[],
  reference: string
): T | undefined {
  return items.find(({ _id }) => _id === reference) ?? items.find(({ key }) => key === reference)
}

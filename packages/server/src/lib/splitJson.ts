/**
 * Splits the text that `JSON.stringify` returns for a value. Objects and lists are split into their members down to a
 * number of levels. Longer lists are split into slices of `itemsPerSlice` items instead, if that is more than one.
 */
export function* splitJson(value: unknown, levels: number, itemsPerSlice = 1): Generator<string, void> {
  if (levels === 0 || !isSplittable(value)) yield JSON.stringify(value) ?? 'null'
  else if (!Array.isArray(value)) yield* splitObject(value, levels, itemsPerSlice)
  else if (itemsPerSlice > 1 && value.length >= SHORT_LIST) yield* splitSlices(value, itemsPerSlice)
  else yield* splitList(value, levels, itemsPerSlice)
}

/** Items of shorter lists are split too, since they can contain long lists. */
const SHORT_LIST = 4

/** Lists and plain objects; other values, such as dates, are stringified as a whole. */
function isSplittable(value: unknown): value is object {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === PLAIN)
}

const PLAIN = Object.prototype

function* splitObject(object: object, levels: number, itemsPerSlice: number): Generator<string, void> {
  const members = Object.entries(object).filter(([, member]) => member !== undefined)
  yield '{'
  for (const [index, [name, member]] of members.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
    yield* splitJson(member, levels - 1, itemsPerSlice)
  }
  yield '}'
}

function* splitList(list: readonly unknown[], levels: number, itemsPerSlice: number): Generator<string, void> {
  yield '['
  for (const [index, item] of list.entries()) {
    if (index > 0) yield ','
    yield* splitJson(item, levels - 1, itemsPerSlice)
  }
  yield ']'
}

function* splitSlices(list: readonly unknown[], itemsPerSlice: number): Generator<string, void> {
  yield '['
  for (let at = 0; at < list.length; at += itemsPerSlice) {
    const text = JSON.stringify(list.slice(at, at + itemsPerSlice))
    yield `${at === 0 ? '' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}

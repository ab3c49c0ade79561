import { MAX_DEPTH, unkeepablePart } from '../keepable.ts'
import { show } from '../show.ts'

/** The most values that are looked at in one place: more than the metadata and the features of an event can have. */
const MAX_VALUES = 30_000

/** What is wrong with a value that no schema should have to look at; undefined where nothing is. `name` is what messages call it. */
export function brokenForm(value: unknown, name: string): string | undefined {
  switch (excessOf(value)) {
    case 'depth':
      return `${name} should nest at most ${MAX_DEPTH} levels deep`
    case 'values':
      return `${name} should have at most ${MAX_VALUES} values`
    case undefined:
      return unkeepablePart(value, name)
  }
}

/** A value of any depth and size as messages repeat it. */
export function showAny(value: unknown): string {
  switch (excessOf(value)) {
    case 'depth':
      return 'a value that nests deeper than is looked at'
    case 'values':
      return 'a value that has more in it than is looked at'
    case undefined:
      return show(value)
  }
}

/** What a value has more of than is looked at. No more of it is looked at to find out. */
function excessOf(root: unknown): 'depth' | 'values' | undefined {
  const open: [value: unknown, depth: number][] = [[root, 1]]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_DEPTH) return 'depth'
    const inner: unknown[] = Object.values(value)
    count += inner.length
    if (count > MAX_VALUES) return 'values'
    for (const one of inner) if (typeof one === 'object') open.push([one, depth + 1])
  }
  return undefined
}

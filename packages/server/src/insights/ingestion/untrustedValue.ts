import { formatValue } from '@burgee/contract'
import { MAX_JSON_DEPTH, validateStorableJson } from '../../storage/validateStorableJson.ts'

/** What is wrong with a value that no schema should have to look at; undefined where nothing is. `name` is what messages call it. */
export function validateShape(value: unknown, name: string): string | undefined {
  const { excess } = sizeOf(value)
  switch (excess) {
    case 'depth':
      return `${name} should nest at most ${MAX_JSON_DEPTH} levels deep`
    case 'values':
      return `${name} should have at most ${MAX_VALUES} values`
    case undefined:
      return validateStorableJson(value, name)
  }
}

/** A value of any depth and size as messages repeat it. */
export function formatUntrusted(value: unknown): string {
  const { excess } = sizeOf(value)
  switch (excess) {
    case 'depth':
      return 'a value that nests deeper than is looked at'
    case 'values':
      return 'a value that has more in it than is looked at'
    case undefined:
      return formatValue(value)
  }
}

/** How many values there are in a value; of one that has more than are looked at, some of them. */
export function countValues(value: unknown): number {
  return sizeOf(value).count
}

interface Size {
  readonly count: number
  /** What it has more of than is looked at. */
  readonly excess: 'depth' | 'values' | undefined
}

/** No more of a value is looked at than it takes to find out. */
function sizeOf(root: unknown): Size {
  const open: [value: unknown, depth: number][] = [[root, 1]]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_JSON_DEPTH) return { count, excess: 'depth' }
    const inner: unknown[] = Object.values(value)
    count += inner.length
    if (count > MAX_VALUES) return { count, excess: 'values' }
    for (const one of inner) if (typeof one === 'object') open.push([one, depth + 1])
  }
  return { count, excess: undefined }
}

/** The most values that are looked at in one place: more than the metadata and the features of an event can have. */
const MAX_VALUES = 30_000

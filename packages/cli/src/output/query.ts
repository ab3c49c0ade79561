import { isRecord } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'

/** A name of a member, the index of an item, or all items. */
type Step = { readonly name: string } | { readonly index: number } | 'items'

/**
 * Returns the part of a value at a path: names of members, `[0]` for an item, and `[]` for all items, as in
 * `features[].key`. What is missing is `null`.
 */
export function query(value: unknown, path: readonly Step[]): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value ?? null
  if (step === 'items') return Array.isArray(value) ? value.map((item) => query(item, rest)) : null
  if ('index' in step) return Array.isArray(value) ? query(value.at(step.index), rest) : null
  return isRecord(value) && Object.hasOwn(value, step.name) ? query(value[step.name], rest) : null
}

/** Parses a path. @throws {UsageError} if it is invalid. */
export function parsePath(text: string): readonly Step[] {
  const parts = text.match(PART) ?? []
  if (text === '' || parts.join('') !== text) {
    throw new UsageError('it should be a path, as in key, [0].name or features[].key')
  }
  return parts.map((part) => {
    const [, index] = /^\[(-?\d*)\]$/.exec(part) ?? []
    if (index === undefined) return { name: part.replace(/^\./, '') }
    return index === '' ? 'items' : { index: Number(index) }
  })
}

const PART = /\[-?\d*\]|(?:^|(?<=[^.])\.)[^.[\]]+/g

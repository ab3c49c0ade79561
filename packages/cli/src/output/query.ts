import { isRecord } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'

/** A name of a member, the index of an item, or all items. */
type Step = { readonly name: string } | { readonly index: number } | 'items'

/** Returns what a person should know about a path that selects nothing: which members there are. */
export function explainMissing(value: unknown, path: readonly Step[]): string | undefined {
  const missing = findUnknown([value], path)
  if (!missing) return undefined
  const { name, known } = missing
  const there = known.length > 0 ? `there are ${known.join(', ')}` : 'there are no members'
  return `--query: nothing has the member ${JSON.stringify(name)}${suggestion(name, known)}: ${there}`
}

/** Returns what a person should know about columns that no item has. */
export function explainUnknownColumns(data: unknown, columns: readonly string[]): readonly string[] {
  const records = [data].flat().filter(isRecord)
  const known = [...new Set(records.flatMap(Object.keys))]
  const unknown = records.length === 0 ? [] : columns.filter((name) => !known.includes(name))
  return unknown.map(
    (name) =>
      `--columns: nothing has the member ${JSON.stringify(name)}${suggestion(name, known)}: there are ${known.join(', ')}`
  )
}

/** Returns the first name of a path that none of the values before it has; none if there are no such values. */
function findUnknown(
  values: readonly unknown[],
  [step, ...rest]: readonly Step[]
): { readonly name: string; readonly known: readonly string[] } | undefined {
  if (step === undefined || values.length === 0) return undefined
  if (step === 'items') return findUnknown(values.filter(Array.isArray).flat(), rest)
  if ('index' in step) {
    const items = values.filter(Array.isArray).flatMap((list) => (list.length > 0 ? [list.at(step.index)] : []))
    return findUnknown(
      items.filter((item) => item !== undefined),
      rest
    )
  }
  const { name } = step
  const records = values.filter(isRecord)
  const found = records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name]] : []))
  if (found.length === 0) return { name, known: [...new Set(records.flatMap(Object.keys))] }
  return findUnknown(found, rest)
}

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
    throw new UsageError('it should be a path, such as key, [0].name or features[].key')
  }
  return parts.map((part) => {
    const [, index] = /^\[(-?\d*)\]$/.exec(part) ?? []
    if (index === undefined) return { name: part.replace(/^\./, '') }
    return index === '' ? 'items' : { index: Number(index) }
  })
}

const PART = /\[-?\d*\]|(?:^|(?<=[^.])\.)[^.[\]]+/g

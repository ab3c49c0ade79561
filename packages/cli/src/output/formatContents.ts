import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { changeWords } from './formatChange.ts'
import { formatCell } from './formatValue.ts'

/**
 * Formats a change, with a line for each member that differs. Nothing is cut: reviewers approve what they see. A
 * created or deleted resource has one value for each member.
 */
export function formatContents(change: object): readonly string[] {
  const { type, previousContents: before, newContents: after } = change as Readonly<Record<string, unknown>>
  const isWhole = !isRecord(before) || !isRecord(after)
  const lines = differencesOf(before, after, []).map((one) => {
    const [old, current] = [formatLeaf(one.before), formatLeaf(one.after)]
    return `  ${one.path.join('.')}: ${isWhole ? (current ?? old ?? NONE) : `${old ?? NONE} → ${current ?? NONE}`}`
  })
  return [changeWords(String(type)), ...lines.map(escapeLine)]
}

const NONE = 'none'

interface Difference {
  readonly path: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

/** Returns the values that differ, each with its path. */
function differencesOf(before: unknown, after: unknown, path: readonly string[]): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [old, current] = [membersOf(before), membersOf(after)]
  if (!old && !current) return path.length === 0 ? [] : [{ path, before, after }]
  const names = new Set([...(old ?? new Map()).keys(), ...(current ?? new Map()).keys()])
  return [...names]
    .filter((name) => !IRRELEVANT.has(name))
    .flatMap((name) => differencesOf(old?.get(name), current?.get(name), [...path, name]))
}

/** Ids and dates that the server assigns. */
const IRRELEVANT = new Set(['_id', '_project', '_feature', 'createdAt', 'updatedAt'])

/**
 * Returns the members of an object, or the items of a list of objects by key, id or name; `undefined` for other values.
 */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) return Object.keys(value).length > 0 ? new Map(Object.entries(value)) : undefined
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined
  return new Map(value.map((item, index) => [String(item.key ?? item._id ?? item.name ?? index), item]))
}

/** Formats a value without members. */
function formatLeaf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length > 0 ? value.map(formatCell).join(', ') : undefined
  const text = formatCell(value)
  return text === '' ? undefined : text
}

import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatColumns, shorten } from './formatColumns.ts'

/** Formats a value of one cell or one member: texts as they are, everything else as JSON. */
export function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Formats a list as a table of some members of its items. */
export function formatList(items: readonly unknown[], columns: readonly string[], width: number): string {
  if (items.length === 0) return 'none'
  const records = items.filter(isRecord)
  const shown = columns.filter((column) => records.some((record) => formatCell(record[column]) !== ''))
  if (records.length < items.length || shown.length === 0)
    return items.map((item) => escapeLine(formatCell(item))).join('\n')
  const header = shown.map((column) => column.replace(/^_+/, '').toUpperCase())
  const rows = records.map((record) => shown.map((column) => formatItems(record[column]) ?? formatCell(record[column])))
  return formatColumns([header, ...rows], width, { optional: optionalColumns(shown), wrapped: keyColumns(shown) }).join(
    '\n'
  )
}

/** Formats a list of objects in a cell: their types, or how many there are. */
function formatItems(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined
  const types = value.map(({ type }) => type)
  return types.every((type) => typeof type === 'string') ? [...new Set(types)].join(', ') : String(value.length)
}

/** Returns the indexes of the columns that a narrow table leaves out, the least important first: an id only beside a key. */
function optionalColumns(shown: readonly string[]): readonly number[] {
  const hasKey = shown.includes('key')
  const least = OPTIONAL.filter((name) => hasKey || !/^_?id$/.test(name))
  return least.map((name) => shown.indexOf(name)).filter((index) => index > 0)
}

/** Returns the indexes of the columns whose texts name a resource. */
function keyColumns(shown: readonly string[]): readonly number[] {
  return shown.flatMap((name, index) =>
    /^(key|_?id|clientId|feature|environment|variation)$/.test(name) ? [index] : []
  )
}

const OPTIONAL = [
  '_id',
  'id',
  'updatedAt',
  '_createdBy',
  'createdBy',
  'dimension',
  'kind',
  'actor',
  'scope',
  'expiresAt'
]

/** Formats an object as one line for each member. */
export function formatRecord(record: Readonly<Record<string, unknown>>, width?: number): string {
  const members = Object.entries(record).filter(([, value]) => value !== undefined)
  const longest = Math.max(...members.map(([name]) => name.length))
  const rows = members.map(([name, value]) => {
    // JSON is cut where it does not fit. Texts, such as keys and addresses, are not.
    const text = formatCell(value)
    return [
      `${name}:`,
      typeof value === 'object' ? shorten(text, (width ?? Number.POSITIVE_INFINITY) - longest - 3) : text
    ]
  })
  return formatColumns(rows, width, { wrapped: [1], isHeadless: true }).join('\n')
}

/** Formats any value for people. */
export function formatAny(value: unknown, columns: readonly string[], width: number): string {
  if (Array.isArray(value)) return formatList(value, columns.length > 0 ? columns : memberNames(value), width)
  return isRecord(value) ? formatRecord(value, width) : escapeLine(formatCell(value))
}

/** Returns the first members of the items of a list. */
export function memberNames(items: readonly unknown[]): readonly string[] {
  return [...new Set(items.filter(isRecord).flatMap((item) => Object.keys(item)))].slice(0, 6)
}

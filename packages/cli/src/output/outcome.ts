import { UsageError } from '@burgee/kit/settings'
import { escapeControlCharacters } from '@burgee/kit/text'
import { formatCount } from './formatCount.ts'
import { formatAny, formatCell, memberNames } from './formatValue.ts'
import type { OutputFormat, OutputOptions } from './outputSettings.ts'
import { explainMissing, explainUnknownColumns, query } from './query.ts'

/** What a command found or did. */
export interface Outcome {
  /** For programs; nothing is printed for `undefined`. */
  readonly data: unknown
  /** Items that arrive one after another, instead of `data`. */
  readonly items?: AsyncIterable<object>
  /** For people; `width` is that of the terminal, or infinite. */
  readonly text: (width: number) => string
  /** The members of an item that tsv has, if `data` is a list; its first members if omitted. */
  readonly columns?: readonly string[]
  /** 0 if omitted. */
  readonly exitCode?: number
}

/** The outputs that outcomes are printed to. */
export interface Printer {
  /** Writes to standard output. */
  readonly write: (text: string) => void
  /** Resolves when standard output accepts more, so that output for a slow reader does not fill the memory. */
  readonly drained: () => Promise<void>
  /** Writes one line to standard error. */
  readonly notice: (line: string) => void
  /** The width of standard output, in characters. */
  readonly width: number
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
}

/** Prints an outcome as the settings say. @throws {UsageError} if the format cannot have it. */
export async function printOutcome(outcome: Outcome, options: OutputOptions, printer: Printer): Promise<void> {
  const { write, width } = printer
  const format = outputFormat(options, printer)
  if (outcome.items) return printItems({ ...outcome, items: outcome.items }, options, printer)
  const isSelected = options.query.length > 0 || options.columns.length > 0
  const data = outcome.data === undefined ? undefined : query(outcome.data, options.query)
  if (format === 'table' && !isSelected) {
    const lines = outcome.text(width)
    if (lines !== '') write(`${escapeControlCharacters(lines)}\n`)
    return
  }
  if (data === undefined) return
  const missing = explainMissing(outcome.data, options.query)
  if (missing !== undefined) printer.notice(missing)
  for (const line of explainUnknownColumns(data, options.columns)) printer.notice(line)
  const usual = options.query.length > 0 ? [] : (outcome.columns ?? [])
  const layout = { columns: options.columns, usual, width, hasHeader: !options.noHeader }
  for (const text of await texts[format](data, layout)) {
    // JSON escapes only some characters that control terminals.
    write(`${escapeControlCharacters(text)}\n`)
  }
}

/**
 * Prints items while they arrive, as a JSON list or as one JSON object per line, which is the default on a terminal.
 * For other formats and queries, reads all items first.
 */
async function printItems(
  { items, ...outcome }: Outcome & Required<Pick<Outcome, 'items'>>,
  options: OutputOptions,
  printer: Printer
): Promise<void> {
  const { write, drained, notice } = printer
  const isUnset = !options.json && options.output === ''
  const format = isUnset && printer.isTerminal ? 'jsonl' : outputFormat(options, printer)
  if (options.query.length > 0 || (format !== 'json' && format !== 'jsonl')) {
    const data: object[] = []
    for await (const item of items) data.push(item)
    return printOutcome(
      { ...outcome, data, text: (width) => formatAny(data, outcome.columns ?? [], width) },
      options,
      printer
    )
  }
  let count = 0
  try {
    for await (const item of items) {
      if (count === 0) for (const unknown of explainUnknownColumns(item, options.columns)) notice(unknown)
      const picked = pickColumns(item, options.columns)
      const line =
        format === 'jsonl'
          ? `${JSON.stringify(picked)}\n`
          : `${count === 0 ? '[' : ','}\n${JSON.stringify(picked, null, 2).replace(/^/gm, '  ')}`
      write(escapeControlCharacters(line))
      count++
      await drained()
    }
  } catch (error) {
    if (count > 0) notice(`the output ends after ${formatCount(count, 'item')} and is not complete`)
    throw error
  }
  if (format === 'json') write(count === 0 ? '[]\n' : '\n]\n')
}

/** Returns the format of the settings; if they have none, a table on a terminal, else JSON. */
function outputFormat({ output, json }: OutputOptions, { isTerminal }: Printer): OutputFormat {
  if (json) return 'json'
  return output || (isTerminal ? 'table' : 'json')
}

interface Layout {
  /** The members that were asked for; all if empty. */
  readonly columns: readonly string[]
  /** The members that a table has if none were asked for. */
  readonly usual: readonly string[]
  readonly width: number
  readonly hasHeader: boolean
}

/** Returns the texts of a value in each format. Each ends with a line break when it is printed. */
const texts: Readonly<Record<OutputFormat, (data: unknown, layout: Layout) => Promise<readonly string[]>>> = {
  table: async (data, { columns, usual, width, hasHeader }) => {
    const text = formatAny(data, columns.length > 0 ? columns : usual, width)
    return [hasHeader || !Array.isArray(data) ? text : text.replace(/^.*\n?/, '')]
  },
  json: async (data, { columns }) => [JSON.stringify(pickColumns(data, columns), null, 2)],
  jsonl: async (data, { columns }) => itemsOf(pickColumns(data, columns)).map((item) => JSON.stringify(item)),
  yaml: async (data, { columns }) => {
    const { stringify } = await import('yaml')
    return [stringify(pickColumns(data, columns), { lineWidth: 0 }).trimEnd()]
  },
  tsv: async (data, { columns, usual, hasHeader }) => {
    const items = itemsOf(data)
    const names = [columns, usual, memberNames(items)].find(({ length }) => length > 0) ?? []
    if (names.length === 0) return items.map(formatTabbed)
    const rows = items.map((item) => names.map((name) => formatTabbed(memberOf(item, name))).join('\t'))
    return hasHeader ? [names.join('\t'), ...rows] : rows
  },
  value: async (data) =>
    itemsOf(data).map((item) => {
      if (typeof item !== 'object' || item === null) return formatCell(item)
      throw new UsageError(
        '-o value prints strings, numbers and booleans: choose one with --query, for example --query [0].key'
      )
    })
}

function itemsOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [data]
}

/** Returns a value, or each item of a list, with only some members. */
function pickColumns(data: unknown, columns: readonly string[]): unknown {
  if (columns.length === 0) return data
  const pick = (item: unknown) => Object.fromEntries(columns.map((name) => [name, memberOf(item, name) ?? null]))
  return Array.isArray(data) ? data.map(pick) : pick(data)
}

function memberOf(item: unknown, name: string): unknown {
  return query(item, [{ name }])
}

/** Formats a cell of tab-separated values, which has no tabs and no line breaks. */
function formatTabbed(value: unknown): string {
  return formatCell(value).replace(/[\t\r\n]+/g, ' ')
}

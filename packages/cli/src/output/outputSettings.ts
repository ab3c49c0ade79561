import { optionalChoice, parseBoolean, type Settings, type Values } from '@burgee/kit/settings'
import { parsePath } from './query.ts'

/** The output format. */
const outputFormats = ['table', 'json', 'jsonl', 'yaml', 'tsv', 'value'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** The heading of the flags that every command has. */
export const heading = 'Output and connection'

/** The settings of every command: what it prints. */
export const outputSettings = {
  output: {
    heading,
    short: '-o',
    placeholder: 'format',
    help: 'The format: table, json, jsonl (one item per line), yaml, tsv, or value (a string without quotes). If empty, table on a terminal, else json.',
    ...optionalChoice(outputFormats)
  },
  json: { heading, kind: 'switch', variable: false, help: 'The same as --output json.', parse: parseBoolean },
  query: {
    heading,
    variable: false,
    ignoresEmpty: true,
    placeholder: 'path',
    help: 'Only this part of the result: [0].key, or [].key of all items.',
    parse: (text: string) => (text === '' ? [] : parsePath(text))
  },
  columns: {
    heading,
    variable: false,
    placeholder: 'names',
    help: 'Only these members, separated by commas, such as key,name. JSON output shows the available members.',
    parse: (text: string) => text.split(',').filter((name) => name !== '')
  },
  noHeader: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'Omit the header of tsv output and of --columns.',
    parse: parseBoolean
  },
  wide: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'Print tables in full width: cut no texts and omit no columns.',
    parse: parseBoolean
  },
  quiet: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'Print no notices and no progress to standard error, only questions and errors.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type OutputOptions = Values<typeof outputSettings>

import { parseBoolean, parseInteger, parseText, type Settings, UsageError, type Values } from '@burgee/kit/settings'
import { parsePath } from '../output/query.ts'

/** How results are printed. */
const outputFormats = ['table', 'json', 'jsonl', 'yaml', 'tsv', 'value'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** The heading of the flags that every command has. */
const heading = 'Output and connection'

/** The settings of every command: what it prints. */
export const outputSettings = {
  output: {
    heading,
    short: '-o',
    placeholder: 'format',
    help: 'table, json, jsonl (one item a line), yaml, tsv, or value (a text without quotes). If empty, table on a terminal, else json.',
    parse: (text: string) => (text === '' ? '' : outputFormats.find((format) => format === text))
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
    help: 'Only these members, separated by commas, as in key,name. JSON shows which there are.',
    parse: (text: string) => text.split(',').filter((name) => name !== '')
  },
  noHeader: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'No names above the columns of tsv, and of --columns.',
    parse: parseBoolean
  },
  quiet: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'No notices and progress on standard error, only questions and failures.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type OutputOptions = Values<typeof outputSettings>

/** The settings of every command that calls a server. */
export const connectionSettings = {
  server: {
    heading,
    variable: 'BURGEE_URL',
    placeholder: 'address',
    ignoresEmpty: true,
    help: 'Address of the server, as in https://flags.example.com. If empty, that of the profile.',
    parse: parseServer
  },
  profile: {
    heading,
    placeholder: 'name',
    help: 'Profile to use instead of the current one; see burgee use --help.',
    parse: parseText
  },
  ...outputSettings,
  debug: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'Print requests to standard error, with secrets masked.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type ConnectionOptions = Values<typeof connectionSettings>

/** The credentials in the environment. Secrets have no flags, since other users of a computer can see those. */
export const credentialSettings = {
  clientId: {
    flag: false,
    help: 'Id of an API client. With its secret, commands act as this client.',
    parse: parseText
  },
  clientSecret: { flag: false, isSecret: true, help: 'Secret of the API client.', parse: parseText },
  token: { flag: false, isSecret: true, help: 'An access token, instead of a client or a sign-in.', parse: parseToken },
  idToken: {
    flag: false,
    isSecret: true,
    help: 'The identity token of a CI job, which is exchanged for an access token.',
    parse: parseText
  },
  idTokenRequestUrl: {
    flag: false,
    variable: 'ACTIONS_ID_TOKEN_REQUEST_URL',
    help: 'Where a job of GitHub Actions requests its identity token. GitHub sets it.',
    parse: (text: string) => (text === '' || URL.canParse(text) ? text : undefined)
  },
  idTokenRequestToken: {
    flag: false,
    isSecret: true,
    variable: 'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    help: 'The token for that request. GitHub sets it.',
    parse: parseToken
  },
  trust: {
    flag: false,
    help: 'Key of the trust that the CI job uses, if several accept its token.',
    parse: parseText
  },
  allowHttp: {
    flag: false,
    help: 'If true, send credentials over plain http. Only for a trusted network.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type CredentialOptions = Values<typeof credentialSettings>

/** How many entries of a history to show. */
export const numberSetting = {
  number: {
    short: '-n',
    variable: false,
    default: '20',
    placeholder: 'count',
    help: 'How many entries, 1 to 10000.',
    parse: parseInteger(1, 10_000)
  }
} as const

/** Leaves out what belongs to other environments. */
export const environmentFilter = {
  environment: {
    short: '-e',
    variable: false,
    placeholder: 'key',
    help: 'Only this environment.',
    parse: parseText
  }
} as const

/** The settings of commands about a project. */
export const projectSettings = {
  project: {
    short: '-p',
    placeholder: 'key',
    help: 'Key or id of the project. If empty, that of burgee.yaml or the profile.',
    parse: parseText
  }
} as const satisfies Settings

/** The settings of commands about one environment. */
export const environmentSettings = {
  environment: {
    short: '-e',
    placeholder: 'key',
    help: 'Key or id of the environment. If empty, that of burgee.yaml or the profile.',
    parse: parseText
  }
} as const satisfies Settings

/** The settings of commands that ask before they change something. */
export const confirmationSettings = {
  yes: { short: '-y', kind: 'switch', variable: false, help: 'Do not ask for confirmation.', parse: parseBoolean }
} as const satisfies Settings

/** Asserts that a header can contain a token. Errors of `fetch` would show it. @throws {UsageError} */
function parseToken(text: string): string {
  if (text === '' || isHeaderText(text)) return text
  throw new UsageError('it should have only visible ASCII characters, on one line')
}

/** Whether a text is visible ASCII, as tokens in headers are. */
export function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text)
}

/** Parses an http or https address without query, fragment or user, and removes slashes at its end. */
export function parseServer(text: string): string | undefined {
  if (text === '') return ''
  if (!/^https?:/i.test(text) || !URL.canParse(text) || /[?#]/.test(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? href.replace(/\/+$/, '') : undefined
}

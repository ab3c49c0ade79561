import { Key } from '@burgee/contract/schemas'
import { parseInteger, parseOnOff, parseText, pickSettings, type Settings, type Values } from '@burgee/kit/settings'
import { parseAddress, sharedSettings } from './settings.ts'

/** The settings of `burgee-mcp`. */
export const settings = {
  apiUrl: {
    variable: 'SERVICE_API_URL',
    default: 'http://127.0.0.1:8080',
    help: 'Address of the Burgee server, without query, fragment or user.',
    parse: parseAddress
  },
  clientId: {
    variable: 'SERVICE_CLIENT_ID',
    help: 'Id of an API client. With its secret, the tools act as this client; without, it is the public client that login uses.',
    parse: matching(/^[\w.@:/-]{0,500}$/)
  },
  clientSecret: {
    // Other users of a computer can see flags.
    flag: false,
    variable: 'SERVICE_CLIENT_SECRET',
    help: 'Secret of the API client.',
    isSecret: true,
    parse: matching(/^[!-~]{0,1000}$/)
  },
  clientSecretFile: {
    variable: 'SERVICE_CLIENT_SECRET_FILE',
    help: 'File that contains the secret, instead of SERVICE_CLIENT_SECRET.',
    parse: parseText
  },
  project: {
    variable: 'SERVICE_PROJECT_KEY',
    help: 'Key of the project for calls that name none. If empty, the one that "burgee-mcp project" has stored.',
    parse: (text: string) => (text === '' || Key.safeParse(text).success ? text : undefined)
  },
  allowHttp: {
    kind: 'switch',
    help: 'true or false: allow secrets and tokens over plain http to another computer. Only for a trusted network.',
    parse: parseOnOff
  },
  confirm: sharedSettings.confirm,
  readOnly: sharedSettings.readOnly,
  categories: sharedSettings.categories,
  noSdkKeys: sharedSettings.noSdkKeys,
  dashboardUrl: { ...sharedSettings.dashboardUrl, variable: 'BURGEE_DASHBOARD_URL' },
  http: {
    kind: 'switch',
    help: 'true or false: serve over HTTP, for everyone who signs in, instead of standard input and output.',
    parse: parseOnOff
  },
  host: {
    default: '127.0.0.1',
    help: 'With --http: address to listen on. Other addresses than loopback need --public-url.',
    parse: (text: string) => text || undefined
  },
  port: {
    default: '8090',
    placeholder: 'number',
    help: 'With --http: port to listen on, 0 to 65535. 0 picks a free one.',
    parse: parseInteger(0, 65_535)
  },
  publicUrl: {
    help: 'With --http: address under which assistants reach this server, as in https://tools.example.com; the endpoint is /mcp below it. The listening address if empty.',
    parse: (text: string) => (text === '' ? '' : parseAddress(text))
  },
  rateLimit: {
    default: '0',
    placeholder: 'number',
    help: 'With --http: tool calls per minute, for each person and program. 0 sets no limit.',
    parse: parseInteger(0, 999_999_999)
  },
  debug: {
    kind: 'switch',
    variable: 'DEBUG',
    help: '1 or true: log in more detail. Logs go to standard error.',
    // Other programs use other words for this variable.
    parse: (text: string) => text === '1' || text === 'true'
  }
} as const satisfies Settings

/** The parsed settings of `burgee-mcp`. */
export type Options = Values<typeof settings>

/** The settings of everything that calls the Burgee server. */
export const accountSettings = pickSettings(
  settings,
  'apiUrl',
  'clientId',
  'clientSecret',
  'clientSecretFile',
  'project',
  'allowHttp'
)
export type AccountOptions = Values<typeof accountSettings>

function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined)
}

import { Key } from '@burgee/contract/schemas'
import {
  parseAddress,
  parseBoolean,
  parseInteger,
  parseOptionalAddress,
  parseText,
  pickSettings,
  type Settings,
  type Values
} from '@burgee/kit/settings'
import { sharedSettings } from './toolSettings.ts'

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
    help: 'Id of an API client. With its secret, the tools act as this client. Without a secret, login uses it as a public client.',
    parse: matching(/^[\w.@:/-]{0,500}$/)
  },
  clientSecret: {
    // Other users of a computer can see the flags of a process.
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
    help: 'Key of the default project. If empty, the one stored by "burgee-mcp project".',
    parse: (text: string) => (text === '' || Key.safeParse(text).success ? text : undefined)
  },
  allowHttp: {
    kind: 'switch',
    help: 'Allow secrets and tokens over plain http to other hosts. Only for a trusted network.',
    parse: parseBoolean
  },
  confirm: sharedSettings.confirm,
  readOnly: sharedSettings.readOnly,
  categories: sharedSettings.categories,
  noSdkKeys: sharedSettings.noSdkKeys,
  dashboardUrl: { ...sharedSettings.dashboardUrl, variable: 'BURGEE_DASHBOARD_URL' },
  http: {
    kind: 'switch',
    help: 'Serve all users who sign in, over HTTP instead of standard input and output.',
    parse: parseBoolean
  },
  host: {
    default: '127.0.0.1',
    help: 'With --http: address to listen on. Addresses other than loopback need --public-url.',
    parse: (text: string) => text || undefined
  },
  port: {
    default: '8090',
    placeholder: 'number',
    help: 'With --http: port to listen on, 0 to 65535. 0 picks a free one.',
    parse: parseInteger(0, 65_535)
  },
  publicUrl: {
    help: 'With --http: public address of this server, such as https://tools.example.com; the endpoint is /mcp below it. If empty, the listening address.',
    parse: parseOptionalAddress
  },
  rateLimit: {
    default: '0',
    placeholder: 'number',
    help: 'With --http: tool calls per minute, per person and client. 0 sets no limit.',
    parse: parseInteger(0, 999_999_999)
  },
  debug: {
    kind: 'switch',
    variable: 'DEBUG',
    help: 'Log in more detail. Logs go to standard error.',
    // Other programs use other values for this variable.
    parse: (text: string) => text === '1' || text === 'true'
  }
} as const satisfies Settings

/** The parsed settings of `burgee-mcp`. */
export type Options = Values<typeof settings>

/** The settings of commands that call the Burgee server. */
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

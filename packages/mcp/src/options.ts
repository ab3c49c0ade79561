import { parseArgs } from 'node:util'
import { Key } from '@burgee/contract'
import { z } from 'zod'
import { parseAddress, sharedSettings } from './settings.ts'

// Long because most of it is a list: one entry for each setting.

/** What a text has to be that is read like this. */
function readBy<Value>(read: (text: string) => Value | undefined) {
  return z.string().transform((text, { addIssue }) => {
    const value = read(text)
    if (value === undefined) addIssue({ code: 'custom' })
    return value ?? z.NEVER
  })
}

const onOrOff = readBy(sharedSettings.readOnly.parse)
const address = readBy(parseAddress)

/** Every setting, once: its flag, its environment variable, and what it means. */
const settings = {
  apiUrl: {
    flag: 'api-url',
    variable: 'SERVICE_API_URL',
    schema: address,
    default: 'http://127.0.0.1:8080',
    help: 'Address of the Burgee server, without query, fragment or user.'
  },
  clientId: {
    flag: 'client-id',
    variable: 'SERVICE_CLIENT_ID',
    schema: z.string().regex(/^[\w.@:/-]{0,500}$/),
    default: '',
    help: 'Id of an API client: with its secret, the one that acts; without, the public one that people sign in to with login.'
  },
  clientSecret: {
    variable: 'SERVICE_CLIENT_SECRET',
    schema: z.string().regex(/^[!-~]{0,1000}$/),
    default: '',
    isSecret: true,
    help: 'Its secret. It has no flag: other users of this computer can see those.'
  },
  clientSecretFile: {
    flag: 'client-secret-file',
    variable: 'SERVICE_CLIENT_SECRET_FILE',
    schema: z.string(),
    default: '',
    help: 'A file that has the secret, in the place of SERVICE_CLIENT_SECRET.'
  },
  project: {
    flag: 'project',
    variable: 'SERVICE_PROJECT_KEY',
    schema: z.union([z.literal(''), Key]),
    default: '',
    help: 'Key of the project for calls that choose none. That of "burgee-mcp project" if empty and somebody is signed in.'
  },
  allowHttp: {
    flag: 'allow-http',
    variable: 'BURGEE_MCP_ALLOW_HTTP',
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: send a secret or tokens to a server that is neither https nor on this computer. For a network that nobody else can read in.'
  },
  confirm: {
    ...sharedSettings.confirm,
    default: 'always',
    flag: 'confirm',
    variable: 'BURGEE_MCP_CONFIRM',
    schema: readBy(sharedSettings.confirm.parse)
  },
  readOnly: {
    ...sharedSettings.readOnly,
    default: '',
    value: 'none',
    flag: 'read-only',
    variable: 'BURGEE_MCP_READ_ONLY',
    schema: onOrOff
  },
  categories: {
    ...sharedSettings.categories,
    default: '',
    flag: 'categories',
    variable: 'BURGEE_MCP_CATEGORIES',
    schema: readBy(sharedSettings.categories.parse)
  },
  noSdkKeys: {
    ...sharedSettings.noSdkKeys,
    default: '',
    value: 'none',
    flag: 'no-sdk-keys',
    variable: 'BURGEE_MCP_NO_SDK_KEYS',
    schema: onOrOff
  },
  dashboardUrl: {
    ...sharedSettings.dashboardUrl,
    default: '',
    flag: 'dashboard-url',
    variable: 'BURGEE_DASHBOARD_URL',
    schema: readBy(sharedSettings.dashboardUrl.parse)
  },
  http: {
    flag: 'http',
    variable: 'BURGEE_MCP_HTTP',
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: serve over HTTP, for everybody who signs in, in the place of standard input and output.'
  },
  host: {
    flag: 'host',
    variable: 'BURGEE_MCP_HOST',
    schema: z.string().min(1),
    default: '127.0.0.1',
    help: 'With --http: address to listen on. Where that is not of this computer alone, set the public URL as well.'
  },
  port: {
    flag: 'port',
    variable: 'BURGEE_MCP_PORT',
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65535)),
    default: '8090',
    value: 'number',
    help: 'With --http: port to listen on, 0 to 65535. 0 takes a free one.'
  },
  publicUrl: {
    flag: 'public-url',
    variable: 'BURGEE_MCP_PUBLIC_URL',
    schema: z.union([z.literal(''), address]),
    default: '',
    help: 'With --http: address under which assistants reach it, as in https://tools.example.com; the tools are at /mcp below it. The listening address if empty.'
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'BURGEE_MCP_RATE_LIMIT',
    schema: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
    default: '0',
    value: 'number',
    help: 'With --http: how many calls of tools one person may make with one program in a minute. 0 sets no limit.'
  },
  debug: {
    flag: 'debug',
    variable: 'DEBUG',
    // Other programs have words of their own for this variable.
    schema: z.string().transform((text) => text === '1' || text === 'true'),
    default: '',
    value: 'none',
    help: '1 or true: log in more detail. Logs go to standard error.'
  }
} satisfies Record<string, Setting>

interface Setting {
  /** What precedes its value on the command line; a secret has none. */
  readonly flag?: string
  readonly variable: string
  /** What its text has to be. */
  readonly schema: z.ZodType
  readonly default: string
  readonly help: string
  readonly value?: 'number' | 'none'
  readonly isSecret?: true
}

type Settings = typeof settings

/** The name of a setting. */
export type SettingName = keyof Settings

/** What the executable was told. */
export type Options = { readonly [Name in SettingName]: z.output<Settings[Name]['schema']> }

/** The settings of everything that asks the Burgee server. */
export const accountSettings = [
  'apiUrl',
  'clientId',
  'clientSecret',
  'clientSecretFile',
  'project',
  'allowHttp'
] as const satisfies readonly SettingName[]

/** What a command was told about the server, and whom it acts for. */
export type AccountOptions = Pick<Options, (typeof accountSettings)[number]>

/** All of them. */
export const allSettings = Object.keys(settings) as readonly SettingName[]

/** A setting or an argument that cannot be used; the message says which, and what would be right. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/** Flags and arguments, as they were typed. */
export interface Given {
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

/** What the environment says. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads these settings: flags win over environment variables, those over defaults.
 * @throws {OptionError} on the first that cannot be used.
 */
export function readOptions<Name extends SettingName>(
  names: readonly Name[],
  { flags }: Pick<Given, 'flags'>,
  environment: Environment
): Pick<Options, Name> {
  const read = names.map((name) => {
    const { flag, variable, schema, default: standard, help, isSecret }: Setting = settings[name]
    const given = flag === undefined ? undefined : flags[flag]
    const text = given === undefined ? (environment[variable] ?? standard) : String(given)
    const result = schema.safeParse(text)
    if (result.success) return [name, result.data]
    const shown = isSecret ? 'the text that was given' : JSON.stringify(text)
    throw new OptionError(`${given === undefined ? variable : `--${flag}`} cannot be ${shown}. ${help}`)
  })
  // Each of them has been parsed by its own schema.
  return Object.fromEntries(read) as Pick<Options, Name>
}

/** Flags as `parseArgs` takes them. */
export type Flags = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>

/** The flags of these settings. */
export function flagsOf(names: readonly SettingName[]): Flags {
  const flags = names.flatMap((name) => {
    const { flag, value }: Setting = settings[name]
    return flag === undefined ? [] : [[flag, { type: value === 'none' ? 'boolean' : 'string' }] as const]
  })
  return Object.fromEntries(flags)
}

/** Reads what was typed. `command` is what its help is found under. @throws {OptionError} when there is a flag among it that there is not. */
export function readArguments(args: readonly string[], flags: Flags, command = ''): Given {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: flags, allowPositionals: true })
    return { flags: values as Given['flags'], positionals }
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n')
    const help = ['burgee-mcp', command, '--help'].filter(Boolean).join(' ')
    throw new OptionError(`${reason.replace(/\.?$/, '.')} See ${help}`, { cause })
  }
}

/** What help says about these settings. */
export function settingsHelp(names: readonly SettingName[]): readonly string[] {
  return names.map((name) => {
    const { flag, variable, default: standard, help, value }: Setting = settings[name]
    const label =
      flag === undefined ? variable : `--${flag}${value === 'none' ? '' : ` <${value ?? 'text'}>`}\n      ${variable}.`
    const told = flag === undefined ? `\n      ${help}` : ` ${help}`
    return `  ${label}${told}${standard === '' ? '' : ` Default: ${standard}`}`
  })
}

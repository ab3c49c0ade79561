import { parseArgs } from 'node:util'
import { operations } from '@burgee/contract'
import { sharedSettings } from '@burgee/mcp/settings'
import { z } from 'zod'
import type { ToolServer } from '../../identity/tokens/protectedResources.ts'
import { isLoopback } from '../../lib/net.ts'
import { OptionError } from '../../lib/optionError.ts'
import { describeHostBits, parseAllowedDestinations } from '../../lib/outbound/allowedDestination.ts'
import { joinNegativeNumbers } from './joinNegativeNumbers.ts'

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

/** Help and default of a setting that the tool server declares. */
function shared({ help, default: standard = '' }: { readonly help: string; readonly default?: string }) {
  return { help, default: standard }
}

/** What one request can have, in MiB. */
const LARGEST_EVENTS_MIB = operations.sendEvents.rawBody.maxBytes / 2 ** 20

/** Every setting, once: its environment variable and flag are named after it (`BURGEE_PUBLIC_URL`, `--public-url`). */
const settings = {
  host: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    help: 'Address to listen on. 0.0.0.0 and :: listen on all of them; set the public URL then as well.'
  },
  port: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65535)),
    default: '8080',
    value: 'number',
    help: 'Port to listen on, 0 to 65535. 0 takes a free one.'
  },
  store: {
    schema: z.string().min(1),
    default: 'file:./burgee-data',
    help: 'Where everything is kept: file:<directory>, or memory: to keep nothing.'
  },
  publicUrl: {
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/, abort: true }).refine(isPlain)]),
    default: '',
    help: 'Address under which callers reach the server, as in https://flags.example.com, without query, fragment or user. The listening address if empty.'
  },
  logLevel: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    help: 'fatal, error, warn, info, debug, trace or silent. Logs go to standard error.'
  },
  ofrepRateLimit: {
    schema: z.string().regex(/^\d+$/).transform(Number),
    default: '0',
    value: 'number',
    help: 'OFREP requests one SDK key may make in a minute, a whole number. 0 sets no limit.'
  },
  eventsRateLimit: {
    schema: z
      .string()
      .regex(/^\d+$/)
      .transform(Number)
      .refine((mib) => mib === 0 || mib >= LARGEST_EVENTS_MIB),
    default: '64',
    value: 'number',
    help: `MiB of events that one address may send in a minute with client and mobile keys, which anybody can read: a whole number from ${LARGEST_EVENTS_MIB}, which one request can have. 0 sets no limit.`
  },
  eventsRetentionDays: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(31).max(36_500)),
    default: '90',
    value: 'number',
    help: 'For how many days events are kept one by one, 31 to 36500. Experiments look back 30 days; what was counted is kept for 400.'
  },
  maxStreams: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(1_000_000)),
    default: '10000',
    value: 'number',
    help: 'How many streams of changes may be open at once, 0 to 1000000. Each takes a connection.'
  },
  trustedProxies: {
    schema: z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(10)),
    default: '0',
    value: 'number',
    help: 'How many proxies are in front of the server, 0 to 10. Each adds an address to X-Forwarded-For; wrong secrets and events are counted by the one that the first of them saw.'
  },
  adminClientId: {
    schema: z.string().regex(/^[\w.@-]{0,100}$/),
    default: '',
    help: 'Id of a client that may do everything in the management API. If empty, the first start makes one and prints it once.'
  },
  adminClientSecret: {
    schema: z.string().regex(/^([!-~]{16,256})?$/),
    default: '',
    isSecret: true,
    help: 'The secret of that client: 16 to 256 printable characters without spaces. Only a verifier of it is stored.'
  },
  compatLegacyNames: {
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: also speak the other names that existing clients of the management API know some members by.'
  },
  dynamicRegistration: {
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: let programs register themselves as clients that people can sign in to, as assistants do (RFC 7591).'
  },
  clientIdDocuments: {
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: let programs that people sign in to describe themselves in a document whose address is their client id, as assistants do (OAuth Client ID Metadata Document). Whoever can begin to sign in has the server read such addresses.'
  },
  oidcIssuer: {
    schema: z.union([z.literal(''), z.url({ abort: true }).refine(isTrustworthy).refine(isPlain)]),
    default: '',
    help: 'Issuer of an OpenID provider that people can sign in through, as in https://login.example.com. It is https, or http on this computer, without query or fragment.'
  },
  oidcClientId: {
    schema: z.string(),
    default: '',
    help: 'Id of this server at that provider. The address to register there is the public URL with /oauth/callback at its end.'
  },
  oidcClientSecret: {
    schema: z.string(),
    default: '',
    isSecret: true,
    help: 'Secret of this server at that provider.'
  },
  oidcName: {
    schema: z.string().min(1).max(60),
    default: 'your organization',
    help: 'What people know that provider as: "Sign in with …".'
  },
  oidcGroupsClaim: {
    schema: z.string().min(1),
    default: 'groups',
    help: 'The claim of that provider that has the groups somebody is in.'
  },
  oidcScopes: {
    schema: z.string().refine((text) => text.split(' ').includes('openid')),
    default: 'openid profile email',
    help: 'What that provider is asked for: scopes separated by spaces, openid among them.'
  },
  otlpEndpoint: {
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/, abort: true }).refine(isPlain)]),
    default: '',
    help: 'Address of an OpenTelemetry collector that takes traces by OTLP over HTTP, as in http://127.0.0.1:4318, without query, fragment or user. No traces are made if empty.'
  },
  allowedPrivateTargets: {
    schema: z.string().transform((text, { addIssue }) => {
      const targets = parseAllowedDestinations(text)
      if (targets === undefined) addIssue({ code: 'custom', params: { mistake: describeHostBits(text) } })
      return targets ?? z.NEVER
    }),
    default: '',
    help: 'What webhooks and integrations may reach although it is not public: names and addresses, each with or without a port, and networks, separated by commas, as in hooks.internal,10.0.0.8:8080,10.1.0.0/16.'
  },
  toolServers: {
    schema: z.string().transform((text, { addIssue }) => {
      const servers = text.split(',').flatMap((one) => (one.trim() ? parseToolServer(one.trim()) : []))
      const mistake = servers.find((one) => typeof one === 'string')
      if (mistake !== undefined) addIssue({ code: 'custom', params: { mistake } })
      return servers.filter((one) => typeof one !== 'string')
    }),
    default: '',
    help: 'Tool servers that run apart (burgee-mcp --http), separated by commas: for each the id of its API client and its address, as in tools=https://tools.example.com/mcp. An address is https, or http on this computer, without query, fragment or user. There are tokens for it, which that client alone exchanges for tokens for the API.'
  },
  mcp: {
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: serve the tools of assistants (Model Context Protocol) at /mcp.'
  },
  mcpConfirm: { ...shared(sharedSettings.confirm), schema: readBy(sharedSettings.confirm.parse) },
  mcpReadOnly: { ...shared(sharedSettings.readOnly), value: 'none', schema: onOrOff },
  mcpCategories: { ...shared(sharedSettings.categories), schema: readBy(sharedSettings.categories.parse) },
  mcpNoSdkKeys: { ...shared(sharedSettings.noSdkKeys), value: 'none', schema: onOrOff },
  mcpRateLimit: {
    schema: z.string().regex(/^\d+$/).transform(Number),
    default: '0',
    value: 'number',
    help: 'Calls of tools one caller may make in a minute, a whole number. 0 sets no limit.'
  },
  dashboardUrl: { ...shared(sharedSettings.dashboardUrl), schema: readBy(sharedSettings.dashboardUrl.parse) },
  demo: {
    schema: onOrOff,
    default: '',
    value: 'none',
    help: 'true or false: set up a demo project in an empty store, and print its keys and requests to try.'
  }
} satisfies Record<
  string,
  { schema: z.ZodType; default: string; help: string; value?: 'number' | 'none'; isSecret?: true }
>

type Settings = typeof settings

/** Every setting of the commands that ask a running server, once; flags and variables are named in the same way. */
const remoteSettings = {
  url: { default: 'http://127.0.0.1:8080', help: 'Address of the server.' },
  project: { default: '', help: 'Key or id of the project.' },
  clientId: { default: '', help: 'Id of an API client that may read what is asked for.' },
  clientSecret: {
    default: '',
    help: 'Its secret. Other users of this computer can see flags: prefer the environment variable.'
  },
  token: { default: '', help: 'An access token, instead of a client.' }
} satisfies Record<string, { default: string; help: string }>

/** What a command that asks a running server was told: each setting as text, empty where nothing says more. */
export type RemoteOptions = { readonly [S in keyof typeof remoteSettings]: string }

/** What a server is started with. */
export type Options = { readonly [S in keyof Settings]: z.output<Settings[S]['schema']> }

/** What exactly is wrong, where a setting says more than that something is. */
function findIssue({ issues: [issue] }: z.ZodError): string | undefined {
  const mistake = issue?.code === 'custom' ? issue.params?.mistake : undefined
  return typeof mistake === 'string' ? mistake : undefined
}

/**
 * Reads the settings: flags win over environment variables, those over defaults.
 * @throws {OptionError} on the first setting that cannot be used.
 */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>
): Options {
  return parseSettings(parseFlags(args), environment)
}

/**
 * Reads the settings from flags that are parsed already; those of commands may be among them.
 * @throws {OptionError} on the first setting that cannot be used.
 */
export function parseSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>
): Options {
  const read = Object.entries(settings).map(([name, setting]) => {
    const flag = flags[toFlag(name)]
    const text = flag === undefined ? (environment[toVariable(name)] ?? setting.default) : String(flag)
    const result = setting.schema.safeParse(text)
    if (!result.success) {
      const source = flag === undefined ? toVariable(name) : `--${toFlag(name)}`
      const shown = 'isSecret' in setting ? 'the text that was given' : JSON.stringify(text)
      const mistake = findIssue(result.error)
      throw new OptionError(`${source} cannot be ${shown}${mistake ? `: ${mistake}` : ''}. ${setting.help}`)
    }
    return [name, result.data]
  })
  // Every setting has been parsed by its own schema.
  const options = Object.fromEntries(read) as Options
  if ((options.adminClientId === '') !== (options.adminClientSecret === '')) {
    throw new OptionError('BURGEE_ADMIN_CLIENT_ID and BURGEE_ADMIN_CLIENT_SECRET belong together: give both or neither')
  }
  const provider = [options.oidcIssuer, options.oidcClientId, options.oidcClientSecret]
  if (new Set(provider.map((text) => text === '')).size > 1) {
    const names = 'BURGEE_OIDC_ISSUER, BURGEE_OIDC_CLIENT_ID and BURGEE_OIDC_CLIENT_SECRET'
    throw new OptionError(`${names} belong together: give all or none`)
  }
  return options
}

/** Reads the settings of a command that asks a running server. A flag or a variable that is empty says nothing. */
export function parseRemoteOptions(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>
): RemoteOptions {
  const read = Object.entries(remoteSettings).map(([name, setting]) => {
    return [name, String(flags[toFlag(name)] ?? '') || environment[toVariable(name)] || setting.default]
  })
  // Each setting is there, as text.
  return Object.fromEntries(read) as RemoteOptions
}

/** Whether what an address says can be trusted: nobody on the way can have changed it. */
function isTrustworthy(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** A tool server and its client, or what is wrong with an entry that should name them. */
function parseToolServer(entry: string): ToolServer | string {
  const [, clientId, address = ''] = /^([\w.@-]{1,100})\s*=\s*(.*)$/.exec(entry) ?? []
  if (clientId === undefined) return `${entry} names no client`
  const isFit = URL.canParse(address) && isTrustworthy(address) && isPlain(address)
  // As clients write it that were told of it.
  return isFit ? { clientId, address: new URL(address).href } : `${entry} has no such address`
}

/** Whether the caller asks for help. */
export function isHelpRequested(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** What `burgee-server --help` prints. */
export function formatHelp(): string {
  return [
    'burgee-server: evaluates feature flags over HTTP and OFREP, and keeps them.',
    '',
    'Usage: burgee-server [flags]',
    '',
    'Each flag can also be given as an environment variable; the flag wins.',
    '',
    ...formatSettings(settings),
    '  --help\n      Print this text.'
  ].join('\n')
}

/** What the help of a command that asks a running server says about its settings. */
export function formatRemoteHelp(): readonly string[] {
  return formatSettings(remoteSettings)
}

function formatSettings(
  table: Readonly<Record<string, { default: string; help: string; value?: string }>>
): readonly string[] {
  return Object.entries(table).map(([name, { default: standard, help, value = 'text' }]) => {
    const shown = standard === '' ? '' : ` Default: ${standard}`
    return `  --${toFlag(name)}${value === 'none' ? '' : ` <${value}>`}\n      ${toVariable(name)}. ${help}${shown}`
  })
}

function parseFlags(args: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({ args: joinNegativeNumbers(args), options: settingFlags }).values
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n')
    throw new OptionError(`${reason?.replace(/\.?$/, '.')} See burgee-server --help`, { cause })
  }
}

/** The flag of each setting, as `parseArgs` takes them. */
export const settingFlags = Object.fromEntries(
  Object.entries(settings).map(([name, setting]) => {
    return [toFlag(name), { type: isSwitch(setting) ? ('boolean' as const) : ('string' as const) }]
  })
)

/** The flag of each setting of a command that asks a running server, as `parseArgs` takes them. */
export const remoteFlags = Object.fromEntries(
  Object.keys(remoteSettings).map((name) => [toFlag(name), { type: 'string' as const }])
)

function isSwitch(setting: object): boolean {
  return 'value' in setting && setting.value === 'none'
}

function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function toVariable(name: string): string {
  return `BURGEE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Whether an address is no more than that: nothing is asked there, and nobody is named. */
function isPlain(address: string): boolean {
  const { search, hash, username, password } = new URL(address)
  return search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(address)
}

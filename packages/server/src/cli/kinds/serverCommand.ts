import { type Client, createClient } from '@burgee/contract/client'
import { Key } from '@burgee/contract/schemas'
import type { Command } from '@burgee/kit/commandLine'
import { parseText, type Settings, UsageError, type Values } from '@burgee/kit/settings'
import type { Terminal } from '../terminal.ts'
import { type DeclaredCommand, declareCommand } from './declareCommand.ts'
import { describeServerError } from './describeServerError.ts'

/** The context of commands that call a running server. */
export interface ServerCommandContext {
  readonly client: Client
  /** The key or id of the project. */
  readonly project: string
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** The settings of every command that calls a running server. */
export const serverCommandSettings = {
  url: {
    default: 'http://127.0.0.1:8080',
    ignoresEmpty: true,
    help: 'Address of the server, as in http://127.0.0.1:8080, without query, fragment or user.',
    parse: parseServerUrl
  },
  project: {
    ignoresEmpty: true,
    help: 'Key or id of the project.',
    parse: (text: string) => (text === '' || Key.safeParse(text).success ? text : undefined)
  },
  clientId: {
    ignoresEmpty: true,
    help: 'Id of an API client with read access to the project.',
    parse: parseText
  },
  clientSecret: {
    ignoresEmpty: true,
    isSecret: true,
    help: 'Secret of that client. Other users of this computer can see flags: prefer the environment variable.',
    parse: parseText
  },
  token: {
    ignoresEmpty: true,
    isSecret: true,
    help: 'An access token, instead of a client.',
    parse: parseText
  }
} as const satisfies Settings

type ServerCommandOptions = Values<typeof serverCommandSettings>

/** Declares a command that calls a running server, on any computer. */
export function serverCommand<const S extends Settings>(
  declared: DeclaredCommand<S, ServerCommandContext>
): Command<Terminal> {
  return declareCommand({
    ...declared,
    shared: serverCommandSettings,
    run: async (given, options, { print }) => {
      const { url, project } = options
      if (project === '') throw new UsageError('--project or BURGEE_PROJECT is missing: the key or id of the project')
      const credentials = toCredentials(options)
      const client = createClient({ baseUrl: url, credentials })
      try {
        return await declared.run(given, { client, project, print })
      } catch (cause) {
        const reason = describeServerError(cause, {
          project,
          credential: 'token' in credentials ? 'the token' : `client "${credentials.clientId}"`
        })
        if (reason === undefined) throw cause
        throw new UsageError(`${url} ${reason}`, { cause })
      }
    }
  })
}

function toCredentials({
  token,
  clientId,
  clientSecret
}: ServerCommandOptions): { readonly token: string } | { readonly clientId: string; readonly clientSecret: string } {
  if (token !== '') return { token }
  if (clientId !== '' && clientSecret !== '') return { clientId, clientSecret }
  throw new UsageError(
    'credentials are missing: set BURGEE_CLIENT_ID and BURGEE_CLIENT_SECRET (or --client-id and --client-secret), or BURGEE_TOKEN (or --token)'
  )
}

function parseServerUrl(text: string): string | undefined {
  const { protocol = '', username, password, search, hash } = URL.canParse(text) ? new URL(text) : {}
  const isUsable = /^https?:$/.test(protocol) && !username && !password && !search && !hash
  return isUsable ? text.replace(/\/$/, '') : undefined
}

import { createTableClient } from '@burgee/contract/client'
import { parseSettings } from '@burgee/kit/commandLine'
import { limitedFetch } from '@burgee/sign-in'
import { manifest } from '../manifest/manifest.ts'
import { type CredentialOptions, credentialSettings } from '../profiles/credentialSettings.ts'
import { type Account, openAccount } from '../profiles/credentials.ts'
import type { Profile } from '../profiles/profileFile.ts'
import type { RepositorySettings } from '../repository/parseRepositoryFile.ts'
import { readRepositoryFile } from '../repository/repositoryFile.ts'
import { NotConfirmedError } from './failures/errors.ts'
import { type CheckedClient, checkedClient } from './http/checkedClient.ts'
import { debugFetch } from './http/debugFetch.ts'
import { requestLines } from './http/requestLines.ts'
import { ALL_TRIES_MS, retryingFetch } from './http/retryingFetch.ts'
import { type RawRequest, sendRaw } from './http/sendRaw.ts'
import { trackWrites } from './http/trackWrites.ts'
import { withReferrer } from './http/withReferrer.ts'
import { resolveScope, type Scope } from './resolveScope.ts'
import { resolveServer } from './resolveServer.ts'
import type { ConnectionOptions } from './settings.ts'
import { openSuggestions, type Suggestions } from './suggestCommand.ts'
import type { Terminal } from './terminal.ts'

/** The settings of a command that opens a session. */
export interface SessionOptions extends Pick<ConnectionOptions, 'server' | 'profile'> {
  readonly debug?: boolean
  readonly project?: string
  readonly environment?: string
  readonly yes?: boolean
}

/** A connection of a command to a server, with the account that it acts as. */
export interface Session extends CheckedClient, Suggestions, Scope {
  /** The address of the server. */
  readonly server: string
  readonly account: Account
  /** The profile in use, if the server is its server. */
  readonly profile: Profile | undefined
  /** The settings of the repository around the working directory. */
  readonly repository: RepositorySettings
  readonly terminal: Terminal
  /** Calls an operation by its id. */
  readonly call: (id: string, request: object) => Promise<unknown>
  /** Sends any request, and returns the body of its response. @throws {ApiError} */
  readonly request: (request: RawRequest) => Promise<unknown>
  /** Sends a request whose response has one object per line, and returns each object as soon as it arrives. @throws {ApiError} */
  readonly requestLines: (request: RawRequest) => AsyncIterable<object>
  /** The project of the settings; empty if they have none. */
  readonly givenProject: string
  /** Asks the person to confirm a change, unless `--yes` does. @throws {NotConfirmedError} */
  readonly confirm: (question: string) => Promise<void>
}

/** Opens a session. `command` is named to the server, for the audit log. */
export async function openSession(options: SessionOptions, terminal: Terminal, command: string): Promise<Session> {
  const { server, profile } = await resolveServer(options, terminal)
  const repository = await readRepositoryFile(terminal.directory)
  const withDebug = (send: typeof fetch) => (options.debug ? debugFetch(send, terminal) : send)
  const retrying = (send: typeof fetch) =>
    retryingFetch(withReferrer(send, command), { random: Math.random, onRetry: terminal.notice })
  const plain = withDebug(receive)
  const account = await openAccount(server, readCredentials(terminal), {
    file: await terminal.credentials(),
    now: terminal.now,
    send: plain
  })
  const table = manifest().map(({ row }) => row)
  const { suggest, actOn } = await openSuggestions(options, terminal)
  const tracked = trackWrites(retrying(plain), { command, pending: terminal.pendingWrites, suggest })
  const unchecked = createTableClient({
    table,
    baseUrl: server,
    credentials: { tokenSource: account.tokens },
    fetch: tracked,
    timeoutMs: ALL_TRIES_MS
  })
  const { client, explain } = checkedClient(unchecked, manifest())
  const methods: Readonly<Record<string, (request: object) => Promise<unknown>>> = client as never
  return {
    server,
    account,
    client,
    profile,
    repository,
    terminal,
    call: async (id, request) => {
      const method = methods[id]
      if (!method) throw new TypeError(`there is no operation ${id}`)
      return method(request)
    },
    explain,
    request: (request) => sendRaw(request, { server, tokens: account.tokens, send: tracked }),
    requestLines: (request) =>
      requestLines(request, { server, tokens: account.tokens, send: retrying(withDebug(fetch)) }),
    givenProject: options.project ?? '',
    ...resolveScope({ options, repository, profile }),
    suggest,
    actOn,
    confirm: (question) => confirm(question, options, terminal)
  }
}

/** Returns the credentials in the environment. */
export function readCredentials({ environment }: Pick<Terminal, 'environment'>): CredentialOptions {
  return parseSettings(credentialSettings, { name: 'burgee', prefix: 'BURGEE_' }, [], environment)
}

/** An environment of a server. */
export interface RemoteEnvironment {
  readonly server: string
  readonly project: string
  readonly environment: string
}

/** Returns the environment of the settings or the profile. @throws {UsageError} without one. */
export async function resolveRemote(
  options: SessionOptions,
  terminal: Pick<Terminal, 'profiles' | 'directory'>
): Promise<RemoteEnvironment> {
  const { server, profile } = await resolveServer(options, terminal)
  const repository = await readRepositoryFile(terminal.directory)
  const { project, environment } = resolveScope({ options, repository, profile })
  return { server, project: project(), environment: environment() }
}

async function confirm(question: string, { yes = false }: SessionOptions, { ask }: Terminal): Promise<void> {
  if (yes) return
  if (!ask) {
    throw new NotConfirmedError(
      `nothing was changed: "${question}" needs a confirmation; repeat the command with --yes`
    )
  }
  const answer = await ask(`${question} (y/N) `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new NotConfirmedError('nothing was changed: not confirmed')
}

/** Exports as text have any size, and other responses are far below the limit. */
const receive: typeof fetch = (input, init) => (EXPORTS.test(String(input)) ? fetch : limitedFetch)(input, init)

const EXPORTS = /\/export(\?|$)/

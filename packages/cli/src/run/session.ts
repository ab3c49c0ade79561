import { createTableClient, describeNetworkError, wasSent } from '@burgee/contract/client'
import { parseSettings } from '@burgee/kit/commandLine'
import { UsageError } from '@burgee/kit/settings'
import { limitedFetch } from '@burgee/sign-in'
import type { Suggest } from '../document/suggest.ts'
import { manifest } from '../manifest/manifest.ts'
import { type CredentialOptions, credentialSettings } from '../profiles/credentialSettings.ts'
import { type Account, openAccount } from '../profiles/credentials.ts'
import type { Profile } from '../profiles/profileFile.ts'
import type { RepositorySettings } from '../repository/parseRepositoryFile.ts'
import { readRepositoryFile } from '../repository/repositoryFile.ts'
import { version } from '../version.ts'
import { NotConfirmedError, UnknownOutcomeError } from './failures/errors.ts'
import { type CheckedClient, checkedClient } from './http/checkedClient.ts'
import { debugFetch } from './http/debugFetch.ts'
import { ALL_TRIES_MS, retryingFetch } from './http/retryingFetch.ts'
import { type RawRequest, sendRaw } from './http/sendRaw.ts'
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
export interface Session extends CheckedClient, Suggestions {
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
  /** The project of the settings; empty if they have none. */
  readonly givenProject: string
  /** Returns the project of the settings, the repository or the profile. @throws {UsageError} without one. */
  readonly project: () => string
  /** Returns the environment of the settings, the repository or the profile. @throws {UsageError} without one. */
  readonly environment: () => string
  /** Asks the person to confirm a change, unless `--yes` does. @throws {NotConfirmedError} */
  readonly confirm: (question: string) => Promise<void>
}

/** Opens a session. `command` is named to the server, for the audit log. */
export async function openSession(options: SessionOptions, terminal: Terminal, command: string): Promise<Session> {
  const { server, profile } = await resolveServer(options, terminal)
  const repository = await readRepositoryFile(terminal.directory)
  const plain = options.debug ? debugFetch(receive, terminal) : receive
  const account = await openAccount(server, readCredentials(terminal), {
    file: await terminal.credentials(),
    now: terminal.now,
    send: plain
  })
  const send = retryingFetch(withReferrer(plain, command), { random: Math.random, onRetry: terminal.notice })
  const table = manifest().map(({ row }) => row)
  const { suggest, actOn } = await openSuggestions(options, terminal)
  const tracked = trackWrites(send, { command, pending: terminal.pendingWrites, suggest })
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
    givenProject: options.project ?? '',
    project: () => required('project', options.project || repository.project || profile?.project),
    environment: () => required('environment', options.environment || repository.environment || profile?.environment),
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
  return {
    server,
    project: required('project', options.project || repository.project || profile?.project),
    environment: required('environment', options.environment || repository.environment || profile?.environment)
  }
}

/** Asserts that a setting or the profile has a value. @throws {UsageError} */
function required(name: 'project' | 'environment', value: string | undefined): string {
  if (value) return value
  const variable = `BURGEE_${name.toUpperCase()}`
  throw new UsageError(
    `the ${name} is missing: pass --${name} <key>, set ${variable}, add it to burgee.yaml, or choose one with burgee use <profile> --${name} <key>`
  )
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

/** Names this program and its command to the server, for the audit log. */
function withReferrer(send: typeof fetch, command: string): typeof fetch {
  const metadata = JSON.stringify({ caller: 'cli', command, version })
  return (input, init) => {
    return send(input, {
      ...init,
      headers: { ...init?.headers, 'burgee-referrer': 'cli', 'burgee-referrer-metadata': metadata }
    })
  }
}

/**
 * Remembers a write until its whole response arrives, so that an interruption can say that its outcome is unknown.
 * Rejects with an `UnknownOutcomeError` if the response is lost.
 */
function trackWrites(send: typeof fetch, { command, pending, suggest }: TrackedCommand): typeof fetch {
  return async (input, init) => {
    if (!init?.method || init.method === 'GET' || READS.test(String(input))) return send(input, init)
    pending.add(command)
    try {
      const { status, headers, body } = await send(input, init)
      const content = body && (await new Response(body).arrayBuffer())
      return new Response(content, { status, headers })
    } catch (error) {
      throw wasSent(error) ? lostResponse(error, command, suggest) : error
    } finally {
      pending.delete(command)
    }
  }
}

/** Exports have any size, and other responses are far below the limit. */
const receive: typeof fetch = (input, init) => (EXPORTS.test(String(input)) ? fetch : limitedFetch)(input, init)

const EXPORTS = /\/export(\?|$)/

/** The paths of requests that change nothing, although they have a body. */
const READS = /\/(explain|preview|validate)(\?|$)/

interface TrackedCommand {
  readonly command: string
  /** The ids of commands whose change has no response yet. */
  readonly pending: Set<string>
  readonly suggest: Suggest
}

function lostResponse(cause: unknown, command: string, suggest: Suggest): UnknownOutcomeError {
  const message = `the server ${describeNetworkError(cause)}. The change of burgee ${command} may have been made or not`
  const hint = `Before you repeat it, check: ${suggest('audit')} shows the newest changes of a project.`
  return new UnknownOutcomeError(message, { cause, hint })
}

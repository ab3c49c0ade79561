import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isRecord, parseJson } from '@burgee/kit'
import { makeFolder, writeFileAtomic } from '@burgee/kit/files'
import { parseOptionalAddress, UsageError } from '@burgee/kit/settings'
import { credentialVariable } from '../../profiles/credentialSettings.ts'
import { readRepositoryFile } from '../../repository/repositoryFile.ts'
import { fileNameOf } from '../../run/fileNameOf.ts'
import { resolveServer } from '../../run/resolveServer.ts'
import type { Session } from '../../run/session.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { projectSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'
import type { KeyKind, WantedKeys } from './completeWords.ts'

/** The source of keys. */
interface Scope {
  readonly kind: KeyKind
  readonly server: string
  /** Empty for the keys of projects. */
  readonly project: string
  /** The feature of variations. */
  readonly feature?: string
}

/** A key, with what it stands for. */
export interface ProposedKey {
  readonly key: string
  readonly title?: string
}

/** The keys of a scope, as they are cached. */
interface CachedKeys {
  /** When they are requested again, in epoch milliseconds. */
  readonly expiresAt: number
  readonly keys: readonly ProposedKey[]
}

/** The lifetimes of cached keys and of failed requests, in milliseconds. */
const LIFETIME_MS = 300_000
const COOLDOWN_MS = 30_000

/** How long a completion waits for keys, in milliseconds. */
const DEADLINE_MS = 300

/**
 * Returns keys from the cache. Missing and expired ones are requested in the background, so that a completion never
 * waits for a slow server, and never loses a refresh token by being interrupted.
 */
export async function readKeys(wanted: WantedKeys, terminal: Terminal): Promise<readonly ProposedKey[]> {
  if (wanted.kind === 'profile') {
    const { profiles } = await terminal.profiles.read()
    return Object.entries(profiles).map(([key, { server }]) => ({ key, title: server }))
  }
  const scope = await resolveScope(wanted, terminal)
  if (!scope) return []
  const path = pathOf(scope, terminal)
  const before = await readCache(path)
  const now = terminal.now()
  if (before && now < before.expiresAt) return before.keys
  // Other completions wait for the same request.
  await writeCache(path, { keys: before?.keys ?? [], expiresAt: now + COOLDOWN_MS })
  const project = scope.project === '' ? [] : ['--project', scope.project]
  const feature = scope.feature === undefined ? [] : [scope.feature]
  terminal.startInBackground(['completion', 'keys', scope.kind, ...feature, '--server', scope.server, ...project])
  for (let waited = 0; waited < DEADLINE_MS; waited += 20) {
    await setTimeout(20)
    const after = await readCache(path)
    if (after && after.expiresAt > now + COOLDOWN_MS) return after.keys
  }
  return before?.keys ?? []
}

/** `burgee completion keys`, which runs in the background. */
export const keysCommand = sessionCommand({
  name: 'completion keys',
  summary: 'Cache the keys that completion proposes. Completion starts this in the background.',
  isHidden: true,
  arguments: ['<kind>', '[feature]'],
  settings: projectSettings,
  details:
    'Kinds are project, environment, feature, variable, request and, of a feature, variation. A sign-in that has expired is not renewed. Example:\n  burgee completion keys feature --project shop',
  run: async ({ arguments: [kind = '', feature], settings }, { terminal, session }) => {
    if (!isKeyKind(kind))
      throw new UsageError(`kind cannot be "${kind}": it is one of ${Object.keys(lists).join(', ')}`)
    const opened = await session()
    const { server } = opened
    const keys = (await isExpired(server, terminal)) ? [] : await requestKeys(kind, feature, opened)
    if (keys.length > 0) {
      const scope = { kind, server, project: settings.project, ...(feature !== undefined && { feature }) }
      await writeCache(pathOf(scope, terminal), { keys, expiresAt: terminal.now() + LIFETIME_MS })
    }
    return { data: undefined, text: () => '' }
  }
})

/** Whether a request would renew the sign-in of a person. A process in the background could be ended before it is stored. */
async function isExpired(server: string, { credentials, environment, now }: Terminal): Promise<boolean> {
  if (credentialVariable(environment) !== undefined) return false
  const stored = await (await credentials()).read(server)
  return stored !== undefined && 'expiresAt' in stored && Date.parse(stored.expiresAt) < now() + RENEWAL_MS
}

/** Longer than the minute before the end of a sign-in in which a request renews it. */
const RENEWAL_MS = 90_000

/** The operations that list keys. */
const lists = {
  project: 'listProjects',
  environment: 'listEnvironments',
  feature: 'listFeatureSummaries',
  variable: 'listVariables',
  variation: 'listVariations',
  request: 'listChangeRequests'
} as const satisfies Readonly<Record<Exclude<KeyKind, 'profile'>, string>>

/** A completion shows no SDK keys, so the access log records none. */
const queries: Readonly<Partial<Record<KeyKind, object>>> = { environment: { includeSdkKeys: 'false' } }

function isKeyKind(text: string): text is keyof typeof lists {
  return Object.hasOwn(lists, text)
}

/** Requests the keys of all pages, up to a limit: longer lists are not useful as choices. */
async function requestKeys(
  kind: keyof typeof lists,
  feature: string | undefined,
  { call, project }: Session
): Promise<readonly ProposedKey[]> {
  const params = { ...(kind !== 'project' && { project: project() }), ...(feature !== undefined && { feature }) }
  const keys: ProposedKey[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = kind === 'variation' ? {} : { perPage: PER_PAGE, ...(page > 1 && { page }), ...queries[kind] }
    const items: unknown = await call(lists[kind], { params, query })
    if (!Array.isArray(items)) break
    keys.push(...items.filter(isRecord).flatMap(toProposedKey))
    if (items.length < PER_PAGE) break
  }
  return keys
}

const PER_PAGE = 1000
const MAX_PAGES = 10

/** Change requests have no key, and finished ones need no command. */
function toProposedKey({
  key,
  name,
  _id,
  description,
  status,
  feature
}: Readonly<Record<string, unknown>>): ProposedKey[] {
  if (typeof key === 'string') return [{ key, ...(typeof name === 'string' && name !== key && { title: name }) }]
  if (typeof _id !== 'string' || !isRecord(feature) || /^(applied|rejected|cancelled)$/.test(String(status))) return []
  const text = typeof description === 'string' ? ` ${description}` : ''
  return [{ key: _id, title: `${feature.key} (${status})${text}` }]
}

/** Returns the source of the requested keys; `undefined` if no project is chosen. */
async function resolveScope(
  { kind, flags, feature }: WantedKeys,
  terminal: Pick<Terminal, 'environment' | 'profiles' | 'directory'>
): Promise<Scope | undefined> {
  const { environment, directory } = terminal
  const address = parseOptionalAddress(flags['--server'] ?? environment.BURGEE_URL ?? '') ?? ''
  const { server, profile } = await resolveServer(
    { server: address, profile: flags['--profile'] ?? environment.BURGEE_PROFILE ?? '' },
    terminal
  )
  if (kind === 'project') return { kind, server, project: '' }
  if (kind === 'variation' && feature === undefined) return undefined
  const given = flags['--project'] || flags['--in-project'] || environment.BURGEE_PROJECT
  const project = given || (await readRepositoryFile(directory)).project || profile?.project
  const scope = { kind, server, project: project ?? '', ...(kind === 'variation' && { feature: feature ?? '' }) }
  return project ? scope : undefined
}

/** Returns the file of a scope. It has the keys of one account: that of the same user of this computer. */
function pathOf(scope: Scope, { environment: { XDG_CACHE_HOME, HOME } }: Pick<Terminal, 'environment'>): string {
  const cache = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME || homedir(), '.cache')
  const name = fileNameOf([scope.server, scope.project, scope.kind, scope.feature ?? ''])
  return join(cache, 'burgee', 'keys', `${name}.json`)
}

async function readCache(path: string): Promise<CachedKeys | undefined> {
  const content = parseJson(await readFile(path, 'utf8').catch(() => ''))
  if (!isRecord(content) || typeof content.expiresAt !== 'number' || !Array.isArray(content.keys)) return undefined
  // Any other character could inject text into a command line.
  const keys = content.keys.filter(isRecord).flatMap(({ key, title }) => {
    if (typeof key !== 'string' || !/^[\w.-]+$/.test(key)) return []
    return [{ key, ...(typeof title === 'string' && { title }) }]
  })
  return { expiresAt: content.expiresAt, keys }
}

async function writeCache(path: string, content: CachedKeys): Promise<void> {
  await makeFolder(dirname(path), { mode: 0o700 })
  await writeFileAtomic(path, JSON.stringify(content))
}

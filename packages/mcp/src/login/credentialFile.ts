import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { writeFileAtomic } from '@burgee/kit/files'
import type { Environment } from '@burgee/kit/settings'
import { z } from 'zod'
import { withLock } from './lock.ts'
import { SignInError } from './signInError.ts'

/** The sign-in to a server, as it is stored. */
const SignedIn = z.object({
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token expires, ISO 8601. */
  expiresAt: z.iso.datetime(),
  /** The key of the default project. */
  project: z.string().optional(),
  who: z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() })
})
export type SignedIn = z.infer<typeof SignedIn>

const Content = z.object({ version: z.literal(1), servers: z.record(z.string(), SignedIn) })
type Content = z.infer<typeof Content>

/** The file of stored sign-ins, by the address of the server. */
export interface CredentialFile {
  readonly path: string
  /** Returns the sign-in to a server. @throws {SignInError} when other users can access the file, or own it. */
  readonly read: (apiUrl: string) => Promise<SignedIn | undefined>
  /**
   * Replaces the sign-in to a server with the result of `next`, or removes it for `undefined`. Changes are serialized,
   * also across processes. If `next` throws, nothing changes.
   */
  readonly change: <Next extends SignedIn | undefined>(
    apiUrl: string,
    next: (held: SignedIn | undefined) => Promise<Next>
  ) => Promise<Next>
  /** Resolves when no change is in progress. A refresh token works once, so its successor must be written before exit. */
  readonly idle: () => Promise<void>
}

/** Opens the file in the user's configuration folder. */
export function openCredentialFile(environment: Environment, platform: NodeJS.Platform): CredentialFile {
  const path = join(folderIn(environment, platform), 'burgee', 'mcp.json')
  const pending = new Set<Promise<unknown>>()
  const applyChange: CredentialFile['change'] = async (apiUrl, next) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // The folder may exist already, with another mode.
    await chmod(dirname(path), 0o700)
    return withLock(`${path}.lock`, async () => {
      const { servers } = await load(path, platform)
      const { [apiUrl]: held, ...others } = servers
      const entry = await next(held)
      const kept = entry === undefined ? others : { ...others, [apiUrl]: entry }
      if (entry !== held) await save(path, { version: 1, servers: kept })
      return entry
    })
  }
  return {
    path,
    read: async (apiUrl) => (await load(path, platform)).servers[apiUrl],
    change: (apiUrl, next) => {
      const change = applyChange(apiUrl, next)
      pending.add(change)
      return change.finally(() => pending.delete(change))
    },
    idle: async () => void (await Promise.allSettled(pending))
  }
}

function folderIn({ XDG_CONFIG_HOME, APPDATA }: Environment, platform: NodeJS.Platform): string {
  const named = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  // Relative paths must be ignored (XDG Base Directory Specification).
  if (named && isAbsolute(named)) return named
  return platform === 'win32' ? join(homedir(), 'AppData', 'Roaming') : join(homedir(), '.config')
}

async function load(path: string, platform: NodeJS.Platform): Promise<Content> {
  const found = await stat(path).catch(ifMissing)
  if (!found) return { version: 1, servers: {} }
  if (platform !== 'win32' && found.uid !== process.getuid?.()) {
    throw new SignInError(
      `${path} contains tokens, and belongs to another user: remove it, and sign in again with burgee-mcp login`
    )
  }
  // Modes have no meaning on Windows.
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8)
    throw new SignInError(
      `${path} contains tokens, and other users can access it (mode ${mode}): run chmod 600 on it, or remove it and sign in again with burgee-mcp login`
    )
  }
  const { success, data } = Content.safeParse(parsed(await readFile(path, 'utf8')))
  if (success) return data
  throw new SignInError(`${path} is not a valid credential file: remove it, and sign in again with burgee-mcp login`)
}

/** Replaces the file durably: the previous refresh token is used up, so the new one must survive a power failure. */
function save(path: string, content: Content): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { writeFileAtomic } from '@burgee/kit/files'
import { z } from 'zod'
import type { Environment } from '../options.ts'
import { withLock } from './lock.ts'
import { SignInError } from './signInError.ts'

/** What is kept of somebody who signed in to a server. */
const SignedIn = z.object({
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token ends, ISO 8601. */
  expiresAt: z.iso.datetime(),
  /** The key of the project that was chosen. */
  project: z.string().optional(),
  who: z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() })
})
export type SignedIn = z.infer<typeof SignedIn>

const Content = z.object({ version: z.literal(1), servers: z.record(z.string(), SignedIn) })
type Content = z.infer<typeof Content>

/** The file with the tokens of those who signed in, by the address of the server. */
export interface CredentialFile {
  readonly path: string
  /** Who is signed in to a server. @throws {SignInError} when others can read the file, or somebody else wrote it. */
  readonly read: (apiUrl: string) => Promise<SignedIn | undefined>
  /**
   * Puts what `next` makes of it in its place, or removes it when that is nothing. Changes are made one after the other,
   * also by several processes: nobody else changes anything while `next` is at work. When it throws, all stays as it was.
   */
  readonly change: <Next extends SignedIn | undefined>(
    apiUrl: string,
    next: (held: SignedIn | undefined) => Promise<Next>
  ) => Promise<Next>
  /** Resolves once no change is under way: a token that was spent and whose successor is not written would be lost. */
  readonly idle: () => Promise<void>
}

/** The file in the folder that programs of this user have their settings in. */
export function openCredentialFile(environment: Environment, platform: NodeJS.Platform): CredentialFile {
  const path = join(folderIn(environment, platform), 'burgee', 'mcp.json')
  const underWay = new Set<Promise<unknown>>()
  const changed: CredentialFile['change'] = async (apiUrl, next) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // It may be there already, from whoever made it.
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
      const change = changed(apiUrl, next)
      underWay.add(change)
      return change.finally(() => underWay.delete(change))
    },
    idle: async () => void (await Promise.allSettled(underWay))
  }
}

function folderIn({ XDG_CONFIG_HOME, APPDATA }: Environment, platform: NodeJS.Platform): string {
  const named = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  // A relative one is to be ignored (XDG Base Directory Specification).
  if (named && isAbsolute(named)) return named
  return platform === 'win32' ? join(homedir(), 'AppData', 'Roaming') : join(homedir(), '.config')
}

async function load(path: string, platform: NodeJS.Platform): Promise<Content> {
  const found = await stat(path).catch(ifMissing)
  if (!found) return { version: 1, servers: {} }
  if (platform !== 'win32' && found.uid !== process.getuid?.()) {
    throw new SignInError(
      `${path} holds tokens, and belongs to somebody else: remove it, and sign in again with burgee-mcp login`
    )
  }
  // Windows has other means, and answers modes that say nothing.
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8)
    throw new SignInError(
      `${path} holds tokens, and others can reach it (mode ${mode}): if nobody has, run chmod 600 on it; else remove it, and sign in again with burgee-mcp login`
    )
  }
  const { success, data } = Content.safeParse(parsed(await readFile(path, 'utf8')))
  if (success) return data
  throw new SignInError(`${path} is not what burgee-mcp writes: remove it, and sign in again with burgee-mcp login`)
}

/** Replaces the whole file, durably: the previous refresh token is used up, so the new one must survive a power failure. */
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

import { chmod, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJson } from '@burgee/kit'
import { findSharedMode, makeFolder, writeFileAtomic } from '@burgee/kit/files'
import { z } from 'zod'
import type { SignInProgram } from '../program.ts'
import { SignInError } from '../signInError.ts'
import { withLock } from './lock.ts'

/** The file of stored credentials, by the address of the server. */
export interface CredentialFile<Entry> {
  readonly path: string
  /** Returns the credentials for a server. @throws {SignInError} when other users can access the file, change its folder, or own it. */
  readonly read: (apiUrl: string) => Promise<Entry | undefined>
  /** Returns the addresses of all servers in the file. */
  readonly servers: () => Promise<readonly string[]>
  /**
   * Replaces the credentials for a server with the result of `next`, or removes them for `undefined`. Changes are
   * serialized, also across processes. If `next` throws, nothing changes.
   */
  readonly change: <Next extends Entry | undefined>(
    apiUrl: string,
    next: (held: Entry | undefined) => Promise<Next>
  ) => Promise<Next>
  /** Resolves when no change is in progress. A refresh token works once, so its successor must be written before exit. */
  readonly idle: () => Promise<void>
}

interface FileOptions<Entry> {
  readonly path: string
  /** The schema of an entry. */
  readonly entry: z.ZodType<Entry>
  readonly platform: NodeJS.Platform
  readonly program: SignInProgram
}

/** Opens a credential file. It is created with mode 0600, in a folder with mode 0700. */
export function openCredentialFile<Entry>(options: FileOptions<Entry>): CredentialFile<Entry> {
  const { path, program } = options
  const pending = new Set<Promise<unknown>>()
  const applyChange: CredentialFile<Entry>['change'] = async (apiUrl, next) => {
    await makeFolder(dirname(path), { mode: 0o700 })
    // The folder may exist already, with another mode.
    await chmod(dirname(path), 0o700)
    return withLock(`${path}.lock`, program, async () => {
      const { [apiUrl]: held, ...others } = await load(options)
      const entry = await next(held)
      const kept = entry === undefined ? others : { ...others, [apiUrl]: entry }
      if (entry !== held) await save(path, { version: 1, servers: kept })
      return entry
    })
  }
  return {
    path,
    read: async (apiUrl) => (await load(options))[apiUrl],
    servers: async () => Object.keys(await load(options)),
    change: (apiUrl, next) => {
      const change = applyChange(apiUrl, next)
      pending.add(change)
      return change.finally(() => pending.delete(change))
    },
    idle: async () => void (await Promise.allSettled(pending))
  }
}

async function load<Entry>({
  path,
  entry,
  platform,
  program
}: FileOptions<Entry>): Promise<Readonly<Record<string, Entry>>> {
  const found = await stat(path).catch(ifMissing)
  if (!found) return {}
  if (platform !== 'win32' && found.uid !== process.getuid?.()) {
    throw new SignInError(
      `${path} contains tokens, and belongs to another user: remove it, and sign in again with ${program.name} login`
    )
  }
  // Modes have no meaning on Windows.
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8)
    throw new SignInError(
      `${path} contains tokens, and other users can access it (mode ${mode}): run chmod 600 on it, or remove it and sign in again with ${program.name} login`
    )
  }
  const folder = dirname(path)
  const sharedMode = await findSharedMode(folder, platform)
  if (sharedMode !== undefined) {
    throw new SignInError(
      `${folder} contains tokens, and other users can change its files (mode ${sharedMode}): run chmod 700 on it`
    )
  }
  const content = z.object({ version: z.literal(1), servers: z.record(z.string(), entry) })
  const { success, data } = content.safeParse(parseJson(await readFile(path, 'utf8')))
  if (success) return data.servers
  throw new SignInError(
    `${path} is not a valid credential file: remove it, and sign in again with ${program.name} login`
  )
}

/** Replaces the file durably: the previous refresh token is used up, so the new one must survive a power failure. */
function save(path: string, content: object): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`)
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord, parseJson } from '@burgee/kit'
import { findSharedMode, hasCode, makeFolder, writeFileAtomic } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'

/** A server with the defaults of commands on it. */
export interface Profile {
  readonly server: string
  /** The key of the default project. */
  readonly project?: string
  /** The key of the default environment. */
  readonly environment?: string
}

/** The profiles of a person, by name. */
export interface Profiles {
  /** The name of the profile in use. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** The file of profiles. It contains no secrets. */
export interface ProfileFile {
  readonly path: string
  /** @throws {UsageError} if the file is not valid. */
  readonly read: () => Promise<Profiles>
  readonly write: (profiles: Profiles) => Promise<void>
}

/** Opens the file of profiles. A missing file has none. */
export function openProfileFile(path: string): ProfileFile {
  return {
    path,
    read: async () => {
      const text = await readFile(path, 'utf8').catch((error) => {
        if (hasCode(error, 'ENOENT')) return undefined
        throw new UsageError(`${path} cannot be read: ${error.message}`, { cause: error })
      })
      if (text === undefined) return { profiles: {} }
      await assertOwn(path)
      return parseProfiles(text, path)
    },
    write: async (profiles) => {
      await makeFolder(dirname(path), { mode: 0o700 })
      await writeFileAtomic(path, `${JSON.stringify({ version: 1, ...profiles }, null, 2)}\n`)
    }
  }
}

/** Asserts that no other user can change the server that credentials of the environment are sent to. @throws {UsageError} */
async function assertOwn(path: string): Promise<void> {
  for (const [one, mode] of [
    [path, '600'],
    [dirname(path), '700']
  ] as const) {
    const shared = await findSharedMode(one, process.platform)
    if (shared === undefined) continue
    throw new UsageError(`other users can change ${one} (mode ${shared}): run chmod ${mode} on it`)
  }
}

function parseProfiles(text: string, path: string): Profiles {
  const content = parseJson(text)
  const { current, profiles } = isRecord(content) ? content : {}
  const isValid = isRecord(profiles) && Object.values(profiles).every(isProfile)
  if (!isValid || !(current === undefined || typeof current === 'string')) {
    throw new UsageError(`${path} is not a valid file of profiles: correct or remove it`)
  }
  // Each profile was checked.
  return { ...(current !== undefined && { current }), profiles: profiles as Profiles['profiles'] }
}

function isProfile(value: unknown): boolean {
  if (!isRecord(value) || typeof value.server !== 'string') return false
  return [value.project, value.environment].every((key) => key === undefined || typeof key === 'string')
}

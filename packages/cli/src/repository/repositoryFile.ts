import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { REPOSITORY_FILE } from '../document/fileFormats.ts'
import type { RepositorySettings } from './parseRepositoryFile.ts'

/** Reads the settings of the repository around a folder; empty without a file. @throws {UsageError} */
export async function readRepositoryFile(folder: string): Promise<RepositorySettings> {
  for (const candidate of foldersOf(folder)) {
    const path = join(candidate, REPOSITORY_FILE)
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined
      throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
        cause: error
      })
    })
    if (text !== undefined) {
      const { parseRepositoryFile } = await import('./parseRepositoryFile.ts')
      return resolvePaths(parseRepositoryFile(relative(folder, path), text), candidate)
    }
  }
  return {}
}

/** Resolves the paths of a file, which are relative to its folder. */
function resolvePaths({ types, state, ...others }: RepositorySettings, folder: string): RepositorySettings {
  const local = (path: string) => relative('.', join(folder, path)) || '.'
  return {
    ...others,
    ...(types && { types: { ...types, ...(types.out !== undefined && { out: local(types.out) }) } }),
    ...(state && { state: { ...state, ...(state.files && { files: state.files.map(local) }) } })
  }
}

/** Returns the folder and those around it, up to the root of the repository. Without a repository, only the folder. */
function foldersOf(folder: string): readonly string[] {
  const folders: string[] = []
  for (let current = resolve(folder); ; current = dirname(current)) {
    folders.push(current)
    if (existsSync(join(current, '.git'))) return folders
    if (dirname(current) === current) return folders.slice(0, 1)
  }
}

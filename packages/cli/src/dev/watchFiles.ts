import { stat } from 'node:fs/promises'
import { every } from '@burgee/kit'
import { findFiles } from '../document/read/readFiles.ts'

/** How often files are checked, in milliseconds. */
const CHECK_MS = 250

/** What is read, and read again when it changes. */
export interface Watched<T> {
  readonly current: () => T
  /** Reports changes from now on, and those since the first read. */
  readonly start: (listener: WatchListener) => void
}

interface WatchListener {
  /** `current` returns something else. */
  readonly onChange: () => void
  /** It changed and cannot be read. The last value stays in use. */
  readonly onError: (error: unknown) => void
}

/**
 * Reads the files at some paths, and again when one of them appears, changes or disappears. Compares them periodically,
 * since notifications of file systems differ, and editors replace files.
 * @throws what the first `read` throws.
 */
export async function watchFiles<T>(paths: readonly string[], read: () => Promise<T>): Promise<Watched<T>> {
  // Before the files are read, so that no change is missed.
  let before = await fingerprint(paths)
  let current = await read()
  return {
    current: () => current,
    start: ({ onChange, onError }) => {
      const check = async () => {
        const now = await fingerprint(paths)
        if (now === before) return
        before = now
        current = await read()
        onChange()
      }
      every(CHECK_MS, check, { onError })
    }
  }
}

async function fingerprint(paths: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    paths.map(async (path) => {
      const files = await findFiles([path]).catch(() => [])
      return Promise.all(files.map(describe))
    })
  )
  return parts.flat().join('\n')
}

async function describe(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path).catch(() => ({ ino: 0, size: 0, mtimeMs: 0 }))
  return `${path} ${ino} ${size} ${mtimeMs}`
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'

/**
 * Records the newest day with entries, so that a start notices if all files of that day are missing: summaries name
 * earlier days only. Backups have a list of their files, and leave this one out.
 */
export class NewestDay {
  readonly #folder: string
  readonly #options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  #recorded: string

  constructor(
    folder: string,
    recorded: string | undefined,
    options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  ) {
    this.#folder = folder
    this.#recorded = recorded ?? ''
    this.#options = options
  }

  /** Call it when an entry of a day is durable. Reports a failure, but does not throw. */
  async record(day: string): Promise<void> {
    if (day <= this.#recorded) return
    // First: concurrent entries of a new day write the file once.
    this.#recorded = day
    const { assertOwned, onNotice } = this.#options
    const path = join(this.#folder, NEWEST_FILE)
    try {
      await writeFileAtomic(path, `${day}\n`, { beforeRename: assertOwned })
    } catch (error) {
      onNotice(`${path} could not be written: ${reasonOf(error)}`)
    }
  }
}

/** Reads the newest day with entries; `undefined` if none is recorded. */
export async function readNewestDay(folder: string): Promise<string | undefined> {
  try {
    return /^\d{4}-\d\d-\d\d$/m.exec(await readFile(join(folder, NEWEST_FILE), 'utf8'))?.[0]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The file with that day. */
export const NEWEST_FILE = 'newest'

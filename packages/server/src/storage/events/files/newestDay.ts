import { writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { describeRecord, readRecord } from '../../disk/lengthRecord.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'

/**
 * Records the newest day with entries, so that a start notices if all files of that day are missing: summaries name
 * earlier days only. The record is beside the folder, so that it also shows that the whole folder is missing. Backups
 * have a list of their files, and leave it out.
 */
export class NewestDay {
  readonly #path: string
  readonly #options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  #recorded: string

  constructor(
    folder: string,
    recorded: string | undefined,
    options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  ) {
    this.#path = newestDayPath(folder)
    this.#recorded = recorded ?? ''
    this.#options = options
  }

  /** Call it when an entry of a day is durable. Reports a failure, but does not throw. */
  async record(day: string): Promise<void> {
    if (day <= this.#recorded) return
    // First: concurrent entries of a new day write the file once.
    this.#recorded = day
    const { assertOwned, onNotice } = this.#options
    try {
      await writeFileAtomic(this.#path, `${day}\n`, { beforeRename: assertOwned })
    } catch (error) {
      onNotice(`${this.#path} could not be written: ${reasonOf(error)}`)
    }
  }
}

/** Reads the newest day with entries; `day` is `undefined` if none is recorded. */
export async function readNewestDay(folder: string): Promise<RecordedDay> {
  const text = await readRecord(newestDayPath(folder))
  if (text === undefined) return { day: undefined }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { day: text }
  return { day: undefined, problem: describeRecord(text, 'a day such as 2026-11-21') }
}

interface RecordedDay {
  readonly day: string | undefined
  /** What is wrong with the record, as a predicate of its file. */
  readonly problem?: string
}

/** Returns the path of the file with the newest day: `events.newest` beside the folder `events`. */
export function newestDayPath(folder: string): string {
  return `${folder}.newest`
}

import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTemporaryFiles, syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../../lib/reasonOf.ts'
import { isDiskFull } from '../../../disk/diskFull.ts'
import { findFileSize } from '../../../disk/fileStat.ts'
import type { EventStoreOptions } from '../../engine/eventStorage.ts'
import { utcDayStart } from '../../utcDay.ts'
import { parseDayFileName } from '../dayFileNames.ts'
import { migrateLegacyEvents } from './migrateLegacyEvents.ts'

/**
 * Creates the folder of an event store if it is missing, and migrates the events of earlier versions. Returns the
 * moment since which events are stored.
 */
export async function prepareFolder(directory: string, folder: string, options: EventStoreOptions): Promise<number> {
  const { assertOwned } = options
  await assertOwned?.()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await syncDirectory(directory)
  await removeTemporaryFiles(folder)
  const oldest = await migrateLegacyEvents(join(directory, 'events.jsonl'), folder, options)
  const path = join(folder, SINCE_FILE)
  const recorded =
    (await findFileSize(path)) === undefined ? Number.NaN : Date.parse((await readFile(path, 'utf8')).trim())
  const days = (await readdir(folder)).flatMap((name) => parseDayFileName(name)?.day ?? []).map(utcDayStart)
  // A moment in the future was written by a wrong clock, unless the current clock is behind.
  const isBehind = days.some((start) => start > options.now())
  const trusted = recorded > options.now() && !isBehind ? Number.NaN : recorded
  const earliest = oldest ?? (Number.isNaN(trusted) ? Math.min(options.now(), ...days) : trusted)
  const since = Number.isNaN(trusted) ? earliest : Math.min(trusted, earliest)
  try {
    if (since !== trusted)
      await writeFileAtomic(path, `${new Date(since).toISOString()}\n`, { beforeRename: assertOwned })
  } catch (error) {
    if (!isDiskFull(error)) throw error
    options.onNotice(`${path} could not be written; the next start tries again: ${reasonOf(error)}`)
  }
  return since
}

/** The file with the moment from which events are stored. */
const SINCE_FILE = 'since'

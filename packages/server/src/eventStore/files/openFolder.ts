import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sizeOf } from '../../disk/sizeOf.ts'
import { removeTemporaries, syncDirectory, writeDurably } from '../../disk/writeDurably.ts'
import type { EventStoreOptions } from '../home.ts'
import { startOf } from '../utcDay.ts'
import { dayOfFile } from './dayFile.ts'
import { takeOver } from './takeOver.ts'

/** Makes the folder of an event store in the directory of a store, unless it is there, and takes over what an earlier version has kept. Answers since when there has been one. */
export async function openFolder(directory: string, folder: string, options: EventStoreOptions): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await syncDirectory(directory)
  await removeTemporaries(folder)
  const oldest = await takeOver(join(directory, 'events.jsonl'), folder, options)
  const path = join(folder, SINCE)
  const said = (await sizeOf(path)) === undefined ? Number.NaN : Date.parse((await readFile(path, 'utf8')).trim())
  const days = (await readdir(folder)).flatMap((name) => dayOfFile(name)?.day ?? []).map(startOf)
  // A moment that is yet to come was written by a clock that was wrong, unless it is today's that is behind.
  const isBehind = days.some((start) => start > options.now())
  const known = said > options.now() && !isBehind ? Number.NaN : said
  const earliest = oldest ?? (Number.isNaN(known) ? Math.min(options.now(), ...days) : known)
  const since = Number.isNaN(known) ? earliest : Math.min(known, earliest)
  if (since !== known) await writeDurably(path, `${new Date(since).toISOString()}\n`)
  return since
}

/** The file that says since when evaluations have been counted. */
const SINCE = 'since'

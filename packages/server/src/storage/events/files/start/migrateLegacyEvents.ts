import { open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../../lib/reasonOf.ts'
import { isDiskFull } from '../../../disk/diskFull.ts'
import { findFileSize } from '../../../disk/fileStat.ts'
import { readLineBytes } from '../../../disk/readLines.ts'
import { RESTORE_BACKUP, storeOpenError } from '../../../storeOpenError.ts'
import type { EventStoreOptions } from '../../engine/eventStorage.ts'
import { toUtcDay } from '../../utcDay.ts'
import { dayFilePath, parseDayFileName } from '../dayFileNames.ts'
import { formatEntryLine } from '../entryLine.ts'
import { parseLegacyEntry } from './parseLegacyEntry.ts'

/**
 * Moves the events of versions without an event store from their single file to the day files of a folder. Returns the
 * time of the oldest event.
 *
 * A plan with the lengths of the day files is written first, and deleted when everything is durable. After a crash in
 * between, the next start truncates the day files and repeats the migration, so that nothing is lost or duplicated.
 * The same happens at once on a full disk.
 * @throws {StoreOpenError} when the disk has no space for a copy of the events.
 */
export async function migrateLegacyEvents(
  path: string,
  folder: string,
  options: MigrationOptions
): Promise<number | undefined> {
  const planFile = join(folder, PLAN_FILE)
  const plan = await readPlan(planFile)
  const size = await findFileSize(path)
  if (size === undefined) {
    await rm(planFile, { force: true })
    return plan?.oldest
  }
  if (plan?.isDone) {
    await finish(path, planFile)
    return plan.oldest
  }
  try {
    return await migrate({ path, folder, planFile, plan }, options)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw storeOpenError(
      path,
      `cannot be migrated to ${folder}: ${reasonOf(error)}. The file is unchanged`,
      `free ${size} bytes on this disk: the one-time migration needs space for a copy, and deletes the file afterwards`,
      error
    )
  }
}

interface Migration {
  readonly path: string
  readonly folder: string
  readonly planFile: string
  /** The plan of an interrupted migration. */
  readonly plan: MigrationPlan | undefined
}

async function migrate(
  { path, folder, planFile, plan }: Migration,
  { onNotice, onInfo, assertOwned }: MigrationOptions
): Promise<number | undefined> {
  if (plan) await undoCopy(folder, plan.sizes, assertOwned)
  else await assertOwned?.()
  const sizes = plan?.sizes ?? (await sizesIn(folder))
  const options = { beforeRename: assertOwned }
  await writeFileAtomic(planFile, JSON.stringify({ isDone: false, sizes } satisfies MigrationPlan), options)
  const { lines, damaged, oldest } = await copyEvents(path, folder).catch(async (error) => {
    // Other files of the store need the space, too. If this fails, the next start does it.
    if (isDiskFull(error)) await undoCopy(folder, sizes, assertOwned).catch(() => {})
    throw error
  })
  await syncDirectory(folder)
  await writeFileAtomic(planFile, JSON.stringify({ isDone: true, sizes, oldest } satisfies MigrationPlan), options)
  await finish(path, planFile)
  if (damaged > 0) onNotice(`${path}: skipped ${damaged} damaged ${damaged === 1 ? 'line' : 'lines'}`)
  onInfo?.(`${path}: migrated ${lines} ${lines === 1 ? 'line' : 'lines'} of events to ${folder}`)
  return oldest
}

type MigrationOptions = Pick<EventStoreOptions, 'onNotice' | 'onInfo' | 'assertOwned'>

/** The file with the plan. */
const PLAN_FILE = 'taking-over.json'

interface MigrationPlan {
  /** Whether all events are durable in the day files. */
  readonly isDone: boolean
  /** Day file → its length before the migration. */
  readonly sizes: Readonly<Record<string, number>>
  readonly oldest?: number | undefined
}

async function readPlan(path: string): Promise<MigrationPlan | undefined> {
  if ((await findFileSize(path)) === undefined) return undefined
  const text = await readFile(path, 'utf8')
  try {
    // This module wrote it atomically.
    return JSON.parse(text) as MigrationPlan
  } catch (cause) {
    throw storeOpenError(path, 'is damaged, so it is unknown which events were migrated', RESTORE_BACKUP, cause)
  }
}

async function finish(path: string, planFile: string): Promise<void> {
  await rm(path)
  await syncDirectory(dirname(path))
  await rm(planFile)
}

async function sizesIn(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter((name) => parseDayFileName(name)?.hasEntries)
  const sizes = names.map(async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).size])
  return Object.fromEntries(await Promise.all(sizes))
}

/** Cuts off what a migration has copied. */
async function undoCopy(
  folder: string,
  sizes: MigrationPlan['sizes'],
  assertOwned: MigrationOptions['assertOwned']
): Promise<void> {
  await assertOwned?.()
  for (const name of await readdir(folder)) {
    if (!parseDayFileName(name)?.hasEntries) continue
    const size = sizes[name]
    if (size === undefined) await rm(join(folder, name))
    else await truncate(join(folder, name), size)
  }
}

/** The result of copying. */
interface CopyResult {
  readonly lines: number
  readonly damaged: number
  readonly oldest: number | undefined
}

async function copyEvents(path: string, folder: string): Promise<CopyResult> {
  let [lines, damaged, length] = [0, 0, 0]
  let oldest: number | undefined
  const written = new Set<string>()
  let texts = new Map<string, string[]>()
  const flush = async () => {
    for (const [day, parts] of texts) {
      await append(dayFilePath(folder, day), parts.join(''))
      written.add(day)
    }
    texts = new Map()
    length = 0
  }
  for await (const line of readLineBytes(path)) {
    const entry = parseLegacyEntry(line)
    if (!entry) {
      damaged++
      continue
    }
    const text = `${formatEntryLine(entry)}\n`
    const day = toUtcDay(entry.at)
    const parts = texts.get(day) ?? []
    texts.set(day, parts)
    parts.push(text)
    lines++
    length += text.length
    oldest = Math.min(oldest ?? entry.at, entry.at)
    if (length >= CHUNK) await flush()
  }
  await flush()
  for (const day of written) await sync(dayFilePath(folder, day))
  return { lines, damaged, oldest }
}

/** The number of characters that are written at once. */
const CHUNK = 4 * 2 ** 20

async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(text)
  } finally {
    await file.close()
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

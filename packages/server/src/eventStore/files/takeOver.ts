import { open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readLineBytes } from '../../disk/readLines.ts'
import { sizeOf } from '../../disk/sizeOf.ts'
import { syncDirectory, writeDurably } from '../../disk/writeDurably.ts'
import { RESTORE, refusal } from '../../store/refusal.ts'
import type { EventStoreOptions } from '../home.ts'
import { dayOf } from '../utcDay.ts'
import { dayFile, dayOfFile } from './dayFile.ts'
import { lineOf } from './dayLine.ts'
import { earlierEntry } from './earlierEntry.ts'

/**
 * Moves the events of a store from before there was an event store, which are one file, into the day files of a folder; answers when the oldest came.
 *
 * Before anything is written, a plan says how long the day files are; it is there until everything is durable. So where a crash
 * comes between, the next start cuts away what was written and begins again, and nothing is lost or doubled.
 */
export async function takeOver(
  path: string,
  folder: string,
  { onNotice, onInfo }: Pick<EventStoreOptions, 'onNotice' | 'onInfo'>
): Promise<number | undefined> {
  const planFile = join(folder, PLAN)
  const plan = await readPlan(planFile)
  const size = await sizeOf(path)
  if (size === undefined) {
    await rm(planFile, { force: true })
    return plan?.oldest
  }
  if (plan?.isDone) {
    await finish(path, planFile)
    return plan.oldest
  }
  if (plan) await cutBack(folder, plan.sizes)
  const sizes = plan?.sizes ?? (await sizesIn(folder))
  await writeDurably(planFile, JSON.stringify({ isDone: false, sizes } satisfies Plan))
  const { lines, damaged, oldest } = await copy(path, folder)
  await syncDirectory(folder)
  await writeDurably(planFile, JSON.stringify({ isDone: true, sizes, oldest } satisfies Plan))
  await finish(path, planFile)
  if (damaged > 0) onNotice(`${path}: left out ${damaged} ${damaged === 1 ? 'line' : 'lines'} that could not be read`)
  onInfo?.(`${path}: took over ${lines} ${lines === 1 ? 'line' : 'lines'} of events into ${folder}`)
  return oldest
}

/** The file that says how far the taking over is. */
const PLAN = 'taking-over.json'

interface Plan {
  /** Whether everything is in the day files and durable. */
  readonly isDone: boolean
  /** Day file → how long it was before. */
  readonly sizes: Readonly<Record<string, number>>
  readonly oldest?: number | undefined
}

async function readPlan(path: string): Promise<Plan | undefined> {
  if ((await sizeOf(path)) === undefined) return undefined
  const text = await readFile(path, 'utf8')
  try {
    // It was written whole, by this file.
    return JSON.parse(text) as Plan
  } catch (cause) {
    throw refusal(path, 'is damaged, so nobody knows which events were taken over', RESTORE, cause)
  }
}

async function finish(path: string, planFile: string): Promise<void> {
  await rm(path)
  await syncDirectory(dirname(path))
  await rm(planFile)
}

async function sizesIn(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter((name) => dayOfFile(name)?.hasEntries)
  const sizes = names.map(async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).size])
  return Object.fromEntries(await Promise.all(sizes))
}

async function cutBack(folder: string, sizes: Plan['sizes']): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!dayOfFile(name)?.hasEntries) continue
    const size = sizes[name]
    if (size === undefined) await rm(join(folder, name))
    else await truncate(join(folder, name), size)
  }
}

/** What was copied. */
interface Copied {
  readonly lines: number
  readonly damaged: number
  readonly oldest: number | undefined
}

async function copy(path: string, folder: string): Promise<Copied> {
  let [lines, damaged, length] = [0, 0, 0]
  let oldest: number | undefined
  const written = new Set<string>()
  let texts = new Map<string, string[]>()
  const flush = async () => {
    for (const [day, parts] of texts) {
      await append(dayFile(folder, day), parts.join(''))
      written.add(day)
    }
    texts = new Map()
    length = 0
  }
  for await (const line of readLineBytes(path)) {
    const entry = earlierEntry(line)
    if (!entry) {
      damaged++
      continue
    }
    const text = `${lineOf(entry)}\n`
    const day = dayOf(entry.at)
    const parts = texts.get(day) ?? []
    texts.set(day, parts)
    parts.push(text)
    lines++
    length += text.length
    oldest = Math.min(oldest ?? entry.at, entry.at)
    if (length >= CHUNK) await flush()
  }
  await flush()
  for (const day of written) await sync(dayFile(folder, day))
  return { lines, damaged, oldest }
}

/** How many characters are kept in memory until they are written. */
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

import { createHash } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { SdkType } from '@burgee/contract'
import { writeFileAtomic } from '@burgee/kit/files'
import { findFileSize } from '../../disk/fileStat.ts'
import { decodeLine, readLineBytes } from '../../disk/readLines.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { type DayState, DaySummary } from '../engine/daySummary.ts'
import { DistinctUsers } from '../engine/distinctUsers.ts'
import type { ServedCount } from '../engine/environmentSummary.ts'
import { damagedFilePath, parseDayFileName } from './dayFileNames.ts'

/**
 * Writes a snapshot of the state of a day. The file is one JSON document in many short lines: a day can have 500,000
 * counts, and formatting or parsing them at once would block the event loop.
 * @param assertOwned Rejects if another process owns the directory by now.
 */
export async function writeSummary(
  path: string,
  state: DayState,
  assertOwned?: (() => Promise<void>) | undefined
): Promise<void> {
  state.previous ??= await findPreviousDay(path)
  await writeFileAtomic(path, linesOf(snapshotOf(state)), { beforeRename: assertOwned })
}

/** Returns the last day with files before that of a summary. */
async function findPreviousDay(path: string): Promise<string | undefined> {
  const days = (await readdir(dirname(path))).flatMap((name) => parseDayFileName(name)?.day ?? [])
  const own = parseDayFileName(basename(path))?.day ?? ''
  return days
    .filter((day) => day < own)
    .sort()
    .at(-1)
}

/** Renames a damaged summary, which may be the only remaining data of its day. Returns its new path. */
export async function quarantineSummary(path: string): Promise<string> {
  let number = 1
  while ((await findFileSize(damagedFilePath(path, number))) !== undefined) number++
  const aside = damagedFilePath(path, number)
  await rename(path, aside)
  return aside
}

/** @throws {StoreOpenError} when a newer version wrote the summary: replacing it would lose its counts. */
export async function assertKnownVersion(path: string): Promise<void> {
  for await (const line of readLineBytes(path)) {
    const [, version] = /^\{"version":(\d{1,9}),/.exec(line.toString('latin1', 0, 32)) ?? []
    if (version === undefined || Number(version) <= VERSION) return
    const problem = `has version ${version}, and this version of Burgee supports versions up to ${VERSION}`
    throw storeOpenError(path, problem, 'start the newer version of Burgee that wrote it, or move the file away')
  }
}

/** Reads the first line of a summary; `undefined` if it is missing or damaged. */
export async function readSummaryHead(path: string): Promise<SummaryHead | undefined> {
  if ((await findFileSize(path)) === undefined) return undefined
  for await (const line of readLineBytes(path)) {
    try {
      return parseHead(decodeLine(line))
    } catch {
      return undefined
    }
  }
  return undefined
}

/** Reads a summary. Returns `undefined` if there is none, and `damaged` if its checksum does not match. */
export async function readSummary(path: string): Promise<DayState | 'damaged' | undefined> {
  if ((await findFileSize(path)) === undefined) return undefined
  const hash = createHash('sha256')
  const summary = new DaySummary()
  let head: SummaryHead | undefined
  try {
    for await (const bytes of readLineBytes(path)) {
      const line = decodeLine(bytes)
      if (head && line === formatEnd(hash.copy().digest('hex')))
        return { summary, covered: head.covered, hours: new Map(head.hours), previous: head.previous }
      hash.update(`${line}\n`)
      // The checksum at the end proves that `writeSummary` wrote it.
      if (head) addPart(summary, JSON.parse(line.slice(0, -1)) as Part)
      else head = parseHead(line)
    }
  } catch (error) {
    // Other errors concern the disk, not the content.
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)) throw error
  }
  return 'damaged'
}

/** The version of the format. */
const VERSION = 1

/** The first line. */
interface SummaryHead {
  readonly version: number
  readonly covered: number
  readonly hours: readonly (readonly [hour: number, offset: number])[]
  /** See `DayState`. Absent in summaries of earlier versions. */
  readonly previous?: string | undefined
}

/** A line between the first and the last one: some counts and users of an environment. */
type Part = readonly [environment: string, served: readonly ServedRow[], users: readonly UsersRow[]]

type ServedRow = readonly [hour: number, ...names: ServedNames, sdkType: SdkType, count: number]

type ServedNames = [feature: string | null, variable: string | null, variation: string | null, platform: string]

type UsersRow = readonly [hour: number, sdkType: SdkType, users: string]

const HEAD_END = ',"parts":['

function formatEnd(checksum: string): string {
  // An empty part ends the list, since each line before it ends with a comma.
  return `[]],"checksum":"${checksum}"}`
}

function parseHead(line: string): SummaryHead {
  // The version and the checksum prove its type.
  const head = JSON.parse(`${line.slice(0, -HEAD_END.length)}}`) as SummaryHead
  if (head.version !== VERSION)
    throw new TypeError(`the version of a summary should be ${VERSION}, got ${head.version}`)
  return head
}

function addPart(day: DaySummary, [environment, served, users]: Part): void {
  const summary = day.environment(environment)
  for (const [hour, feature, variable, variation, platform, sdkType, count] of served) {
    const names = { feature: feature ?? undefined, variable: variable ?? undefined, variation: variation ?? undefined }
    summary.restoreCount({ hour, ...names, platform, sdkType, count })
  }
  for (const [hour, sdkType, text] of users) summary.usersOf(hour, sdkType).merge(DistinctUsers.from(text))
}

/** A day at one moment: counts change while they are written. */
interface Snapshot {
  readonly head: SummaryHead
  readonly environments: readonly {
    readonly id: string
    readonly served: readonly ServedCount[]
    readonly users: readonly UsersRow[]
  }[]
}

function snapshotOf({ summary, covered, hours, previous }: DayState): Snapshot {
  const environments = [...summary.environments].map(([id, environment]) => {
    const served = [...environment.served]
    const users = Array.from(
      environment.users,
      ({ hour, sdkType, users: set }): UsersRow => [hour, sdkType, set.toText()]
    )
    return { id, served, users }
  })
  return { head: { version: VERSION, covered, hours: [...hours], previous }, environments }
}

function* linesOf({ head, environments }: Snapshot): Generator<string, void> {
  const hash = createHash('sha256')
  const line = (text: string) => {
    hash.update(`${text}\n`)
    return `${text}\n`
  }
  yield line(`${JSON.stringify(head).slice(0, -1)}${HEAD_END}`)
  for (const { id, served, users } of environments) {
    const part = (...lists: [readonly ServedRow[], readonly UsersRow[]]) => line(`${JSON.stringify([id, ...lists])},`)
    for (let start = 0; start < served.length; start += COUNTS_PER_LINE) {
      yield part(served.slice(start, start + COUNTS_PER_LINE).map(toRow), [])
    }
    for (let start = 0; start < users.length; start += USERS_PER_LINE)
      yield part([], users.slice(start, start + USERS_PER_LINE))
  }
  yield `${formatEnd(hash.digest('hex'))}\n`
}

/** The number of counts in a line; formatting them takes about a millisecond. */
const COUNTS_PER_LINE = 400

/** The number of user sets in a line; each takes up to 5.5 kB. */
const USERS_PER_LINE = 10

function toRow({ hour, feature, variable, variation, platform, sdkType, count }: ServedCount): ServedRow {
  return [hour, feature ?? null, variable ?? null, variation ?? null, platform, sdkType, count]
}

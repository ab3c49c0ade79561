import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { reasonOf } from '../../lib/reasonOf.ts'
import { findManifest } from '../backup/readBackup.ts'
import { endOfLastLine } from '../disk/appendLog.ts'
import { findTruncation, readLength } from '../disk/lengthRecord.ts'
import { readLineBytes } from '../disk/readLines.ts'
import { dayFilePath, parseDayFileName, parseLostFileName, summaryFilePath } from '../events/files/dayFileNames.ts'
import { parseEntryLine } from '../events/files/entryLine.ts'
import {
  findInvalidRecords,
  findLoss,
  type KnownDays,
  listKnownDays,
  readKnownDays,
  readLosses
} from '../events/files/lostEntries.ts'
import { readSummary } from '../events/files/summaryFile.ts'
import { parseItems } from '../lowdb/document/parseItems.ts'
import { isAsideHistory } from '../lowdb/history/historyFile.ts'
import { replayJournal } from '../lowdb/replayJournal.ts'
import { DOCUMENT_FILE, HISTORY_FILE, JOURNAL_FILE, JOURNAL_LENGTH_FILE, MARKER_FILE } from '../lowdb/storeDirectory.ts'
import { migrate, migrations } from '../migrations/migrate.ts'
import { openAuditLog } from '../open/openAuditLog.ts'
import { readStoreDocument } from '../open/readStoreDocument.ts'
import { userDataCollections } from '../resources/collections.ts'
import { StoreOpenError } from '../store.ts'
import { buildState } from '../tables/storeState.ts'
import type { Finding } from './finding.ts'

/**
 * Checks the files of a store in a directory, or of a backup. Only reads; a server may have the store open. Yields a
 * finding for each file. The hash chain of the audit log is the caller's to check.
 * @param oldestDay The day from which events have not expired. Without it, missing days of events are not reported.
 */
export async function* checkDirectory(directory: string, oldestDay?: string): AsyncGenerator<Finding, void> {
  yield* checkManifest(directory)
  if (existsSync(join(directory, DOCUMENT_FILE)) && !existsSync(join(directory, MARKER_FILE))) {
    yield { file: MARKER_FILE, problem: 'is missing' }
  }
  const document = await checkFile(DOCUMENT_FILE, () => describeDocument(directory))
  yield document
  // The document has the length of the history.
  if (document.problem === undefined) yield await checkFile(HISTORY_FILE, () => describeHistory(directory))
  yield* listAside(directory)
  const { problem } = await readLength(join(directory, JOURNAL_LENGTH_FILE))
  if (problem !== undefined) yield { file: JOURNAL_LENGTH_FILE, problem }
  yield await checkFile(JOURNAL_FILE, () => describeJournal(directory))
  yield* checkEvents(join(directory, 'events'), oldestDay)
  yield* checkAccess(join(directory, 'access'))
}

/** The lines that a start has moved aside can be acknowledged changes. */
async function* listAside(directory: string): AsyncGenerator<Finding, void> {
  const names = await readdir(directory)
  for (const name of names.filter(isAsideHistory).sort()) {
    yield { file: name, notice: 'lines that no commit referred to at a start; acknowledged changes may be missing' }
  }
}

async function* checkManifest(directory: string): AsyncGenerator<Finding, void> {
  const manifest = await findManifest(directory)
  for (const { name, bytes, sha256 } of manifest?.files ?? []) {
    const path = join(directory, name)
    if (!existsSync(path)) yield { file: name, problem: 'is missing in the backup' }
    else if (sha256 !== (await digestOf(path))) {
      yield { file: name, problem: `is not as it was when the backup was written (${bytes} bytes)` }
    }
  }
  if (manifest) yield { file: 'backup.json', content: `${manifest.files.length} files of ${manifest.createdAt}` }
}

async function describeDocument(directory: string): Promise<string> {
  const { revision, schemaVersion, data } = await readStoreDocument(`file:${directory}`)
  const items = parseItems(migrate(data, schemaVersion, migrations))
  // Fails if two items have the same unique key.
  const { projects, features } = buildState(items)
  return `commit ${revision}, ${projects.items.size} projects, ${features.items.size} features`
}

async function describeHistory(directory: string): Promise<string> {
  const { entries, findUncounted } = await openAuditLog(`file:${directory}`)
  let count = 0
  for await (const _ of entries) count++
  const tail = await findUncounted()
  if (tail) throw new Error(`has ${tail.bytes} bytes (${tail.lines} lines) that no commit refers to`)
  return `${count} entries`
}

async function describeJournal(directory: string): Promise<string> {
  const path = join(directory, JOURNAL_FILE)
  // Read first: the file can only grow meanwhile.
  const recorded = await readLength(join(directory, JOURNAL_LENGTH_FILE))
  const length = await lengthOfLines(path)
  const truncation = await findTruncation(path, recorded.bytes)
  if (truncation !== undefined) throw new Error(truncation)
  const { items } = await replayJournal(path, userDataCollections, '', { length })
  const state = buildState(items)
  return `${userDataCollections.reduce((sum, name) => sum + state[name].items.size, 0)} items`
}

async function* checkEvents(folder: string, oldestDay: string | undefined): AsyncGenerator<Finding, void> {
  const list = async () => (existsSync(folder) ? readdir(folder) : [])
  const names = await list()
  for (const { path, problem } of await findInvalidRecords(folder, names)) {
    yield { file: relative(dirname(folder), path), problem }
  }
  const known = await readKnownDays(folder, names, oldestDay ?? NO_DAY)
  const reported = names.flatMap((name) => parseLostFileName(name) ?? [])
  const days = [...new Set([...listKnownDays(known), ...reported])].sort()
  // Read again: a running server may have replaced a summary or removed expired entries.
  const describe = async (day: string) =>
    describeDay(folder, day, await readKnownDays(folder, await list(), oldestDay ?? NO_DAY))
  for (const day of days) yield await checkFile(`events/${day}.jsonl`, () => describe(day))
}

/** Later than every day: if the retention is unknown, missing entries count as expired. */
const NO_DAY = '9'

async function describeDay(folder: string, day: string, known: KnownDays): Promise<string> {
  const summary = await readSummary(summaryFilePath(folder, day))
  if (summary === 'damaged') throw new Error('has a damaged summary')
  const loss = await findLoss(folder, day, known)
  if (loss !== undefined) throw new Error(loss)
  const losses = (await readLosses(folder, day)) ?? []
  if (losses.length > 0) {
    throw new Error(losses.map(({ at, loss }) => `${loss} (found at the start of ${at})`).join('; '))
  }
  const path = dayFilePath(folder, day)
  if (!existsSync(path)) return 'counts only: the entries have expired, or their loss was acknowledged'
  return countLines(path, await lengthOfLines(path), (line) => parseEntryLine(line, day) !== undefined)
}

async function* checkAccess(folder: string): AsyncGenerator<Finding, void> {
  const names = existsSync(folder) ? await readdir(folder) : []
  for (const day of names.flatMap((name) => parseDayFileName(name)?.day ?? []).sort()) {
    yield await checkFile(`access/${day}.jsonl`, () => describeAccess(folder, day))
  }
}

async function describeAccess(folder: string, day: string): Promise<string> {
  const path = dayFilePath(folder, day)
  return countLines(path, await lengthOfLines(path), (line) => {
    try {
      return typeof JSON.parse(line.toString()) === 'object'
    } catch {
      return false
    }
  })
}

async function countLines(path: string, length: number, isSound: (line: Buffer) => boolean): Promise<string> {
  let [lines, damaged, first] = [0, 0, 0]
  for await (const line of readLineBytes(path, length)) {
    lines++
    if (isSound(line)) continue
    damaged++
    first ||= lines
  }
  if (damaged > 0) throw new Error(`has ${damaged} damaged lines, the first at line ${first}`)
  return `${lines} entries`
}

/** Turns an error into a finding. */
async function checkFile(file: string, describe: () => Promise<string>): Promise<Finding> {
  try {
    // A second time, because a server may have replaced the file meanwhile.
    return { file, content: await describe().catch(describe) }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { file, problem: 'is missing' }
    const reason = reasonOf(error)
    if (!(error instanceof StoreOpenError)) return { file, problem: reason }
    // These messages begin with the path of the file, which can be one of several.
    const [, name = file, problem = reason] = /^(?:\S*\/)?(\S+\.jsonl?) (.*?)(?:; [^;]*)?$/s.exec(reason) ?? []
    return { file: name, problem }
  }
}

/** The length of the complete lines of a file; an incomplete last one was not acknowledged. */
async function lengthOfLines(path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    return await endOfLastLine(file, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

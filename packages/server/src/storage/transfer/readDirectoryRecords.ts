import { existsSync } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '../../lib/time.ts'
import type { StoredAccessEntry } from '../accessLog/accessLog.ts'
import { parseAccessLine } from '../accessLog/fileAccessLog.ts'
import { endOfLastLine } from '../disk/appendLog.ts'
import { decodeLine, readLineBytes } from '../disk/readLines.ts'
import type { EncryptionOptions } from '../encryption/openEncryption.ts'
import { openEncryption } from '../encryption/openEncryption.ts'
import { DistinctUsers } from '../events/engine/distinctUsers.ts'
import { dayFilePath, parseDayFileName } from '../events/files/dayFileNames.ts'
import { readDayState } from '../events/files/dayState.ts'
import { parseEntryLine } from '../events/files/entryLine.ts'
import { utcDayStart } from '../events/utcDay.ts'
import { parseItems } from '../lowdb/document/parseItems.ts'
import { replayJournal } from '../lowdb/replayJournal.ts'
import { JOURNAL_FILE } from '../lowdb/storeDirectory.ts'
import { migrate, migrations } from '../migrations/migrate.ts'
import { openAuditLog } from '../open/openAuditLog.ts'
import { readStoreDocument } from '../open/readStoreDocument.ts'
import { type Resources, uniqueKeys, userDataCollections } from '../resources/collections.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import { RESTORE_BACKUP } from '../storeOpenError.ts'
import type { MemoryItems } from '../tables/storeState.ts'
import type { Item } from '../tables/table.ts'
import { type CountRow, chunk, formatRecord, sortById, sortRows, type UsersRow } from './transferRecord.ts'

interface ReadOptions {
  readonly encryption: EncryptionOptions
  readonly onNotice: (message: string) => void
}

/**
 * Reads the records of a store in a directory, with secrets in plain text. No server may have the store open.
 * @throws {StoreOpenError} when it is damaged, or encrypted with other keys.
 */
export async function* readDirectoryRecords(
  directory: string,
  { encryption, onNotice }: ReadOptions
): AsyncGenerator<string, void> {
  const url = `file:${directory}`
  const document = await readStoreDocument(url)
  const { codec } = openEncryption(directory, document.encryption, encryption)
  const flags = parseItems(migrate(document.data, document.schemaVersion, migrations))
  const journal = join(directory, JOURNAL_FILE)
  const length = await lengthOfLines(journal)
  const { items: users } = await replayJournal(journal, userDataCollections, RESTORE_BACKUP, { codec, length })
  const decode = <K extends keyof Resources>(name: K, items: Iterable<Resources[K]>) =>
    sortById([...items].map((item) => codec.decode(name, item)))
  for (const name of Object.keys(uniqueKeys) as (keyof Resources)[]) {
    if (name === 'auditEntries') yield* readHistory((await openAuditLog(url)).entries)
    else if (isUsers(users, name)) {
      for (const item of sortById<Item>([...(users[name] ?? [])])) yield formatRecord({ put: name, item })
    } else for (const item of decode(name, flags[name] ?? [])) yield formatRecord({ put: name, item })
  }
  yield* readEvents(join(directory, 'events'), onNotice)
  yield* readAccess(join(directory, 'access'))
}

function isUsers(users: MemoryItems, name: keyof Resources): boolean {
  return name in users
}

/** Entries without a position precede all others, and are sorted as a database returns them. */
async function* readHistory(entries: AsyncIterable<StoredAuditEntry>): AsyncGenerator<string, void> {
  let unchained: StoredAuditEntry[] | undefined = []
  for await (const entry of entries) {
    if (unchained && entry.position === undefined) {
      unchained.push(entry)
      continue
    }
    for (const item of sortById(unchained ?? [])) yield formatRecord({ put: 'auditEntries', item })
    unchained = undefined
    yield formatRecord({ put: 'auditEntries', item: entry })
  }
  for (const item of sortById(unchained ?? [])) yield formatRecord({ put: 'auditEntries', item })
}

async function* readEvents(folder: string, onNotice: (message: string) => void): AsyncGenerator<string, void> {
  const names = existsSync(folder) ? await readdir(folder) : []
  const since = join(folder, 'since')
  if (!existsSync(since)) return
  const days = [...new Set(names.flatMap((name) => parseDayFileName(name)?.day ?? []))].sort()
  const expired = days.filter((day) => !names.includes(`${day}.jsonl`)).at(-1)
  const completeSince = expired === undefined ? 0 : utcDayStart(expired) + DAY
  yield formatRecord({ events: { since: Date.parse((await readFile(since, 'utf8')).trim()), completeSince } })
  for (const day of days) {
    const { state } = await readDayState(folder, day, { onNotice })
    if (names.includes(`${day}.jsonl`)) {
      for await (const line of readLineBytes(dayFilePath(folder, day), state.covered)) {
        // Spaces replace erased users. Damaged lines were reported.
        if (parseEntryLine(line, day)) yield `{"entry":${decodeLine(line).trimEnd()}}`
      }
    }
    const counts: CountRow[] = []
    const users: UsersRow[] = []
    for (const [environment, summary] of state.summary.environments) {
      for (const { hour, feature = '', variable = '', variation = '', platform, sdkType, count } of summary.served) {
        counts.push([environment, hour, feature, variable, variation, platform, sdkType, count])
      }
      for (const { hour, sdkType, users: set } of summary.users) {
        users.push([environment, hour, sdkType, toCanonicalText(set.toText())])
      }
    }
    for (const rows of chunk(sortRows(counts))) yield formatRecord({ counts: rows })
    for (const rows of chunk(sortRows(users))) yield formatRecord({ users: rows })
  }
  yield* readTables(join(folder, 'tables'))
}

async function* readTables(folder: string): AsyncGenerator<string, void> {
  const names = existsSync(folder) ? await readdir(folder) : []
  for (const name of names.filter((one) => /^[\w-]+\.(?:json|table)$/.test(one)).sort()) {
    yield formatRecord({ eventFile: name, content: (await readFile(join(folder, name))).toString('base64') })
  }
}

/** Reads entries by date. An entry is written shortly after its date, possibly on the next day. */
async function* readAccess(folder: string): AsyncGenerator<string, void> {
  const names = existsSync(folder) ? await readdir(folder) : []
  let waiting: StoredAccessEntry[] = []
  for (const name of names.filter((one) => parseDayFileName(one)?.hasEntries).sort()) {
    const path = join(folder, name)
    for await (const line of readLineBytes(path, await lengthOfLines(path))) {
      const entry = parseAccessLine(line)
      if (entry) waiting.push(entry)
    }
    const day = name.slice(0, 10)
    for (const access of sortByDate(waiting.filter(({ date }) => date < day))) yield formatRecord({ access })
    waiting = waiting.filter(({ date }) => date >= day)
  }
  for (const access of sortByDate(waiting)) yield formatRecord({ access })
}

function sortByDate(entries: readonly StoredAccessEntry[]): readonly StoredAccessEntry[] {
  return [...entries].sort((one, other) => (one.date === other.date ? 0 : one.date < other.date ? -1 : 1))
}

/** Formats a set of users independently of the order in which it was filled. */
export function toCanonicalText(text: string): string {
  if (text.startsWith('~')) return DistinctUsers.from(text).toText()
  const digests = new Float64Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
  return Buffer.from(digests.sort().buffer).toString('base64')
}

async function lengthOfLines(path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    return await endOfLastLine(file, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

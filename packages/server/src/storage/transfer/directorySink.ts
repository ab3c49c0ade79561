import { type FileHandle, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncDirectory, writeFileAtomic } from '@burgee/kit/files'
import { DAY } from '../../lib/time.ts'
import { formatLength } from '../disk/lengthRecord.ts'
import { type EncryptionOptions, type OpenedEncryption, openEncryption } from '../encryption/openEncryption.ts'
import { type DayState, DaySummary } from '../events/engine/daySummary.ts'
import { DistinctUsers } from '../events/engine/distinctUsers.ts'
import { summaryFilePath } from '../events/files/dayFileNames.ts'
import { writeSummary } from '../events/files/summaryFile.ts'
import { toUtcDay, utcHourStart } from '../events/utcDay.ts'
import { withChecksum } from '../lowdb/document/journalLine.ts'
import { formatDocument } from '../lowdb/document/storeDocument.ts'
import { DirectoryLock } from '../lowdb/lock/directoryLock.ts'
import { lockTimings } from '../lowdb/lock/lockOptions.ts'
import {
  assertOwnDirectory,
  DOCUMENT_FILE,
  HISTORY_FILE,
  hasStore,
  JOURNAL_FILE,
  JOURNAL_LENGTH_FILE,
  LOCK_FILE,
  MARKER_CONTENT,
  MARKER_FILE,
  makeDirectory
} from '../lowdb/storeDirectory.ts'
import { latestVersion, migrations } from '../migrations/migrate.ts'
import { moveIn } from '../restore/restoreBackup.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { flagDataCollections, isHistory, isUserData } from '../tables/storeState.ts'
import type { Item } from '../tables/table.ts'
import type { RecordSink } from './recordSink.ts'
import type { ParsedRecord, TransferRecord } from './transferRecord.ts'

interface SinkOptions {
  readonly encryption: EncryptionOptions
  readonly onNotice: (message: string) => void
}

/**
 * Imports into a directory without a store. The files are written to a hidden folder, and put in place at the end; an
 * interrupted import leaves no store, and begins again.
 * @throws {StoreOpenError} when the directory has a store, or other files.
 */
export async function openDirectorySink(directory: string, { encryption, onNotice }: SinkOptions): Promise<RecordSink> {
  const target = resolve(directory)
  await makeDirectory(target)
  assertOwnDirectory(target, await readdir(target))
  if (hasStore(target)) throw storeOpenError(target, 'contains a store', 'an import needs a new or an empty directory')
  const lock = await DirectoryLock.acquire(join(target, LOCK_FILE), {
    onNotice,
    onWriteFailure: () => {},
    onLost: () => {},
    timings: lockTimings
  })
  try {
    const staging = join(target, STAGING_FOLDER)
    await rm(staging, { recursive: true, force: true })
    await mkdir(join(staging, 'events', 'tables'), { recursive: true, mode: 0o700 })
    await mkdir(join(staging, 'access'), { mode: 0o700 })
    return new DirectorySink(target, staging, lock, openEncryption(target, undefined, encryption))
  } catch (error) {
    await lock.release()
    throw error
  }
}

const STAGING_FOLDER = '.import'

class DirectorySink implements RecordSink {
  readonly #target: string
  readonly #staging: string
  readonly #lock: DirectoryLock
  readonly #encryption: OpenedEncryption
  readonly #history: LineFile
  readonly #journal: LineFile
  /** The file of the day whose events or access log are being written. */
  #dayFile: LineFile | undefined
  #day: OpenDay | undefined
  /** Items of the document, by collection. */
  readonly #data = new Map<string, object[]>(flagDataCollections.map((name) => [name, []]))
  #completeSince = 0
  #hasLastExpired = false

  constructor(target: string, staging: string, lock: DirectoryLock, encryption: OpenedEncryption) {
    this.#target = target
    this.#staging = staging
    this.#lock = lock
    this.#encryption = encryption
    this.#history = new LineFile(join(staging, HISTORY_FILE))
    this.#journal = new LineFile(join(staging, JOURNAL_FILE))
  }

  async write({ record, line }: ParsedRecord): Promise<void> {
    if ('put' in record) await this.#putItem(record.put, record.item)
    else if ('access' in record) {
      await this.#endDay()
      await this.#appendToDay(join('access', `${record.access.date.slice(0, 10)}.jsonl`), JSON.stringify(record.access))
    } else await this.#writeEvents(record, line)
  }

  async finish(): Promise<void> {
    await this.#endDay()
    await this.#dayFile?.end()
    await this.#journal.end()
    await this.#history.end()
    await writeFileAtomic(join(this.#staging, JOURNAL_LENGTH_FILE), formatLength(this.#journal.size))
    if (this.#completeSince > 0 && !this.#hasLastExpired) {
      const day = toUtcDay(this.#completeSince - DAY)
      await writeSummary(summaryFilePath(join(this.#staging, 'events'), day), emptyDay())
    }
    const document = {
      schemaVersion: latestVersion(migrations),
      revision: 1,
      historyLength: this.#history.size,
      encryption: this.#encryption.final,
      data: Object.fromEntries(this.#data)
    }
    await writeFileAtomic(join(this.#staging, DOCUMENT_FILE), formatDocument(document))
    await writeFileAtomic(join(this.#staging, MARKER_FILE), MARKER_CONTENT)
    for (const folder of [join('events', 'tables'), 'events', 'access'])
      await syncDirectory(join(this.#staging, folder))
    await this.#lock.assertHeld()
    await moveIn(this.#staging, this.#target)
  }

  async close(): Promise<void> {
    for (const file of [this.#dayFile, this.#journal, this.#history]) await file?.close()
    await rm(this.#staging, { recursive: true, force: true })
    await this.#lock.release()
  }

  async #putItem(name: string, item: Item): Promise<void> {
    // The export has items of the collection.
    const encoded: Item = this.#encryption.codec.encode(name as 'projects', item as never)
    const text = () => JSON.stringify([{ put: name, item: encoded }])
    if (isHistory(name)) await this.#history.append(text())
    else if (isUserData(name)) await this.#journal.append(withChecksum(text()))
    else this.#data.get(name)?.push(encoded)
  }

  async #writeEvents(
    record: Exclude<TransferRecord, { put: unknown } | { access: unknown }>,
    line: string
  ): Promise<void> {
    const folder = join(this.#staging, 'events')
    if ('events' in record) {
      this.#completeSince = record.events.completeSince
      await writeFile(join(folder, 'since'), `${new Date(record.events.since).toISOString()}\n`, { mode: 0o600 })
    } else if ('eventFile' in record) {
      if (!/^[\w-]+\.(?:json|table)$/.test(record.eventFile))
        throw new Error(`${record.eventFile} is not a file of events`)
      await writeFileAtomic(join(folder, 'tables', record.eventFile), toChunks(Buffer.from(record.content, 'base64')))
    } else if ('entry' in record) {
      const day = await this.#openDay(record.entry.at)
      const hour = utcHourStart(record.entry.at)
      if (!day.hours.has(hour)) day.hours.set(hour, day.covered)
      const text = line.slice('{"entry":'.length, -1)
      await this.#appendToDay(join('events', `${day.name}.jsonl`), text)
      day.covered += Buffer.byteLength(text) + 1
    } else if ('counts' in record) {
      for (const [environment, hour, feature, variable, variation, platform, sdkType, count] of record.counts) {
        const { summary } = await this.#openDay(hour)
        const kind = { hour, feature, variable, variation, platform, sdkType }
        summary.environment(environment).restoreCount({ ...kind, count })
      }
    } else {
      for (const [environment, hour, sdkType, users] of record.users) {
        const { summary } = await this.#openDay(hour)
        summary.environment(environment).usersOf(hour, sdkType).merge(DistinctUsers.from(users))
      }
    }
  }

  /** Returns the day of a time; ends the one before. */
  async #openDay(moment: number): Promise<OpenDay> {
    const name = toUtcDay(moment)
    if (this.#day?.name === name) return this.#day
    await this.#endDay()
    const day = { name, ...emptyDay() }
    this.#day = day
    return day
  }

  async #endDay(): Promise<void> {
    if (!this.#day) return
    const { name, ...state } = this.#day
    this.#day = undefined
    if (name === toUtcDay(this.#completeSince - DAY)) this.#hasLastExpired = true
    await writeSummary(summaryFilePath(join(this.#staging, 'events'), name), state)
  }

  async #appendToDay(name: string, line: string): Promise<void> {
    const path = join(this.#staging, name)
    if (this.#dayFile?.path !== path) {
      await this.#dayFile?.end()
      this.#dayFile = new LineFile(path)
    }
    await this.#dayFile.append(line)
  }
}

/** A day whose records are being written. */
interface OpenDay extends DayState {
  readonly name: string
}

function emptyDay(): DayState {
  return { summary: new DaySummary(), hours: new Map(), covered: 0 }
}

async function* toChunks(content: Buffer): AsyncGenerator<Buffer, void> {
  yield content
}

/** A file that lines are written to in large pieces. It is created even if it has none. */
class LineFile {
  readonly path: string
  size = 0
  #text = ''
  #file: FileHandle | undefined

  constructor(path: string) {
    this.path = path
  }

  async append(line: string): Promise<void> {
    this.#text += `${line}\n`
    this.size += Buffer.byteLength(line) + 1
    if (this.#text.length > PIECE) await this.#flush()
  }

  /** Makes the file durable, and closes it. */
  async end(): Promise<void> {
    await this.#flush()
    await this.#file?.sync()
    await this.close()
    await syncDirectory(dirname(this.path))
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  async #flush(): Promise<void> {
    this.#file ??= await open(this.path, 'a', 0o600)
    await this.#file.appendFile(this.#text)
    this.#text = ''
  }
}

const PIECE = 262_144

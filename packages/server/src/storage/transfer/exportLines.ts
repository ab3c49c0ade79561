import { createHash, type Hash } from 'node:crypto'
import { isRecord } from '@burgee/kit'
import { latestVersion, migrations } from '../migrations/migrate.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { type ParsedRecord, parseRecord } from './transferRecord.ts'

/** Adds the first and the last line to the records of an export; the last one proves that it is complete. */
export async function* toExport(records: AsyncIterable<string>): AsyncGenerator<string, void> {
  const sums = new Checksum()
  yield sums.add(JSON.stringify({ format: FORMAT, version: VERSION, schemaVersion: latestVersion(migrations) }))
  let count = 0
  for await (const record of records) {
    count++
    yield sums.add(record)
  }
  yield JSON.stringify({ end: { records: count, sha256: sums.digest() } })
}

/**
 * Returns the records in the lines of an export.
 * @throws {StoreOpenError} when it is of another version, damaged or incomplete, possibly after the last record.
 */
export async function* fromExport(path: string, lines: AsyncIterable<string>): AsyncGenerator<ParsedRecord, void> {
  const sums = new Checksum()
  let count = -1
  let end: unknown
  for await (const line of lines) {
    if (end !== undefined) throw damagedExport(path, 'it has lines after its end')
    if (count < 0) {
      assertFormat(path, sums.add(line))
      count = 0
    } else if (line.startsWith('{"end":')) {
      end = parse(line)?.end
    } else {
      const parsed = parseExported(path, line, count + 2)
      sums.add(line)
      count++
      yield parsed
    }
  }
  if (count < 0) throw damagedExport(path, 'it is empty')
  if (!isRecord(end)) throw damagedExport(path, `it ends after ${count} records, without its last line`)
  if (end.records !== count) throw damagedExport(path, `it has ${count} records instead of ${end.records}`)
  if (end.sha256 !== sums.digest()) throw damagedExport(path, 'its checksum does not match its content')
}

function parseExported(path: string, line: string, number: number): ParsedRecord {
  try {
    return parseRecord(line)
  } catch (cause) {
    throw damagedExport(path, `line ${number} is not a record`, cause)
  }
}

const FORMAT = 'burgee-export'
const VERSION = 1

function assertFormat(path: string, line: string): void {
  const { format, version, schemaVersion } = parse(line) ?? {}
  if (format !== FORMAT) throw storeOpenError(path, `is not an export: its format is not "${FORMAT}"`, USE_EXPORT)
  const newest = latestVersion(migrations)
  if (version === VERSION && schemaVersion === newest) return
  throw storeOpenError(
    path,
    `has version ${version} and schema version ${schemaVersion}, and this version of Burgee imports ${VERSION} and ${newest}`,
    'import it with the version of Burgee that exported it, and upgrade that store'
  )
}

const USE_EXPORT = 'name a file that "burgee-server export" wrote'

/** Returns the error for an export that cannot be read to its end. */
export function damagedExport(path: string, problem: string, cause?: unknown): Error {
  return storeOpenError(path, `is damaged or incomplete: ${problem}`, 'export the store again', cause)
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The checksum of lines. */
class Checksum {
  readonly #hash: Hash = createHash('sha256')

  add(line: string): string {
    this.#hash.update(`${line}\n`)
    return line
  }

  digest(): string {
    return this.#hash.digest('hex')
  }
}

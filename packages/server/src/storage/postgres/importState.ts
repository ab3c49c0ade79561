import { isRecord } from '@burgee/kit'
import type { Database } from './connection/database.ts'
import { readMeta } from './meta.ts'

/** How far an import into a database has come. Absent before it begins, and after its end. */
export interface ImportState {
  /** The number of records that are stored. */
  readonly records: number
  /** The SHA-256 of their lines. */
  readonly sha256: string
}

/** Reads the state of an import that has not ended. */
export async function readImport(database: Database): Promise<ImportState | undefined> {
  const stored = await readMeta(database, 'import')
  if (!isRecord(stored)) return undefined
  const { records, sha256 } = stored
  return typeof records === 'number' && typeof sha256 === 'string' ? { records, sha256 } : undefined
}

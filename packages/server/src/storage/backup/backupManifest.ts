import { isRecord } from '@burgee/kit'
import { storeOpenError } from '../storeOpenError.ts'

/** The last file of a backup: what the backup consists of. A copy without it is incomplete. */
export const MANIFEST_FILE = 'backup.json'

/** The content of the manifest. */
export interface BackupManifest {
  /** ISO 8601. */
  readonly createdAt: string
  /** The last commit that the backup contains. */
  readonly revision: number
  readonly files: readonly BackupFile[]
}

/** A file of a backup. */
export interface BackupFile {
  /** The path below the directory of the store, with `/`. */
  readonly name: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** Whether a backup can have a file of this name, so that one of another origin writes nowhere else. */
export function isBackupFileName(name: string): boolean {
  return NAMES.test(name)
}

const NAMES =
  /^(?:backup\.json|burgee\.store|db\.json|history\.jsonl|users\.jsonl|users\.length|events\/since|events\/tables\/[\w-]+\.(?:json|table)|events\/\d{4}-\d\d-\d\d\.(?:jsonl|summary\.json(?:\.damaged(?:\.\d+)?)?)|access\/\d{4}-\d\d-\d\d\.jsonl)$/

export function formatManifest(manifest: BackupManifest): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`
}

/** Parses a manifest. @throws {StoreOpenError} */
export function parseManifest(path: string, text: string): BackupManifest {
  const manifest = parse(text)
  if (manifest) return manifest
  throw storeOpenError(path, `is not the list of files of a backup (format "${FORMAT}")`, 'use another backup')
}

const FORMAT = 'burgee-backup'

function parse(text: string): BackupManifest | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value) || value.format !== FORMAT) return undefined
  const { createdAt, revision, files } = value
  if (typeof createdAt !== 'string' || typeof revision !== 'number' || !Array.isArray(files)) return undefined
  return files.every(isBackupFile) ? { createdAt, revision, files } : undefined
}

function isBackupFile(value: unknown): value is BackupFile {
  if (!isRecord(value)) return false
  const { name, bytes, sha256 } = value
  return typeof name === 'string' && isBackupFileName(name) && typeof bytes === 'number' && typeof sha256 === 'string'
}

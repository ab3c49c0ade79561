import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { hasCode, syncDirectory } from '@burgee/kit/files'
import { toUtcDay } from '../events/utcDay.ts'
import { makeDirectory } from '../lowdb/storeDirectory.ts'
import { storeOpenError } from '../storeOpenError.ts'
import { type BackupFile, type BackupManifest, formatManifest, MANIFEST_FILE } from './backupManifest.ts'
import { readStoreFiles, type StoreFile, type StoreFiles } from './readStoreFiles.ts'
import { formatTarHeader, TAR_END, tarPadding } from './tar.ts'

interface BackupOptions {
  readonly now: () => number
  /** Links files that never change instead of copying them, on the same file system. */
  readonly linksFiles?: boolean
  /** Called after each file with the number of bytes so far. */
  readonly onProgress?: (bytes: number) => void
}

/** Whether a backup is one file, an archive in the format of `tar`. */
function isArchive(path: string): boolean {
  return /\.(?:tar|tar\.gz|tgz)$/.test(path)
}

/**
 * Writes a consistent copy of the store in a directory to a new directory or, by its ending, a new archive. A server
 * may have the store open. The copy is durable when this resolves. A failed one is removed; an interrupted one has no
 * manifest.
 * @throws {StoreOpenError} when the store cannot be read, or something has the name of the copy.
 */
export async function writeBackup(directory: string, target: string, options: BackupOptions): Promise<BackupManifest> {
  const store = await readStoreFiles(directory, toUtcDay(options.now()))
  return isArchive(target) ? writeArchive(store, target, options) : writeDirectory(store, target, options)
}

async function writeDirectory(store: StoreFiles, target: string, options: BackupOptions): Promise<BackupManifest> {
  const created: Created = { files: [], folders: existsSync(target) ? [] : [target] }
  await makeDirectory(target)
  if ((await readdir(target)).length > 0) {
    throw storeOpenError(target, 'is not empty', 'a backup needs a new or an empty directory')
  }
  try {
    return await writeFiles(store, target, options, created)
  } catch (error) {
    // A partial backup would occupy the space and the name of the next one. If the removal fails, it has no manifest.
    for (const file of created.files) await rm(file, { force: true }).catch(() => {})
    // Fails for folders that contain files of other programs, which are kept.
    for (const folder of created.folders.toReversed()) await rmdir(folder).catch(() => {})
    throw error
  }
}

/** The files and folders that a backup has created so far. */
interface Created {
  readonly files: string[]
  /** Parents come before their children. */
  readonly folders: string[]
}

async function writeFiles(
  store: StoreFiles,
  target: string,
  { now, linksFiles = false, onProgress }: BackupOptions,
  created: Created
): Promise<BackupManifest> {
  const folders = new Set([target])
  const files: BackupFile[] = []
  let total = 0
  for await (const file of store.files) {
    const path = join(target, file.name)
    const folder = dirname(path)
    if (!folders.has(folder)) await makeFolder(folder, created)
    folders.add(folder)
    const isLinked = linksFiles && file.linkable !== undefined && (await linkIfPossible(file.linkable, path))
    if (isLinked) created.files.push(path)
    const written = isLinked ? await describe(file.name, path) : await copy(file, path, created)
    files.push(written)
    total += written.bytes
    onProgress?.(total)
  }
  for (const folder of folders) await syncDirectory(folder)
  const manifest = { createdAt: new Date(now()).toISOString(), revision: store.revision, files }
  const text = Buffer.from(formatManifest(manifest))
  await copy({ name: MANIFEST_FILE, bytes: text.length, content: [text] }, join(target, MANIFEST_FILE), created)
  await syncDirectory(target)
  return manifest
}

async function writeArchive(
  store: StoreFiles,
  target: string,
  { now, onProgress }: BackupOptions
): Promise<BackupManifest> {
  await makeDirectory(dirname(target))
  const createdAt = new Date(now()).toISOString()
  const files: BackupFile[] = []
  const temporary = `${target}.part`
  const parts = async function* (): AsyncGenerator<Uint8Array, void> {
    let total = 0
    for await (const file of store.files) {
      yield formatTarHeader(file.name, file.bytes, now())
      const hash = createHash('sha256')
      for await (const chunk of file.content) {
        hash.update(chunk)
        yield chunk
      }
      yield tarPadding(file.bytes)
      files.push({ name: file.name, bytes: file.bytes, sha256: hash.digest('hex') })
      total += file.bytes
      onProgress?.(total)
    }
    const text = Buffer.from(formatManifest({ createdAt, revision: store.revision, files }))
    yield formatTarHeader(MANIFEST_FILE, text.length, now())
    yield text
    yield tarPadding(text.length)
    yield TAR_END
  }
  try {
    // An existing archive is never replaced.
    await (await open(target, 'wx', 0o600)).close()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    throw storeOpenError(target, 'exists', 'choose another name, or delete it')
  }
  try {
    const output = createWriteStream(temporary, { mode: 0o600 })
    // Empty chunks would end a stream.
    const source = Readable.from(notEmpty(parts()))
    if (target.endsWith('.tar')) await pipeline(source, output)
    else await pipeline(source, createGzip(), output)
    const written = await open(temporary, 'r+')
    await written.sync().finally(() => written.close())
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    await rm(target, { force: true })
    throw error
  }
  await syncDirectory(dirname(target))
  return { createdAt, revision: store.revision, files }
}

/** Creates a folder and its missing parents. */
async function makeFolder(folder: string, created: Created): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder), created)
  await mkdir(folder, { mode: 0o700 })
  created.folders.push(folder)
}

async function copy({ name, bytes, content }: StoreFile, path: string, created: Created): Promise<BackupFile> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  created.files.push(path)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

/** Describes a linked file: the original may have been replaced meanwhile. */
async function describe(name: string, path: string): Promise<BackupFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

/** Returns false if the file system cannot link the file. */
async function linkIfPossible(path: string, target: string): Promise<boolean> {
  try {
    await link(path, target)
    return true
  } catch {
    return false
  }
}

async function* notEmpty(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts) if (part.length > 0) yield part
}

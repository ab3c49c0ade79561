import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { reasonOf } from '../../lib/reasonOf.ts'
import { toUtcDay } from '../events/utcDay.ts'
import { hasStore } from '../lowdb/storeDirectory.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import {
  type BackupFile,
  type BackupManifest,
  isBackupFileName,
  MANIFEST_FILE,
  parseManifest
} from './backupManifest.ts'
import { readStoreFiles } from './readStoreFiles.ts'
import { readTar } from './tar.ts'

/** A file of a backup that is being read. */
export interface ReadFile {
  readonly name: string
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/**
 * Reads the files of a backup, a directory or an archive, and compares each with the manifest. A directory without
 * a manifest is read as the store of a server that was stopped.
 * @throws {StoreOpenError} when it is incomplete or damaged, possibly after the last file.
 */
export async function* readBackup(path: string): AsyncGenerator<ReadFile, void> {
  const kind = await stat(path).catch((cause) => {
    throw storeOpenError(path, `cannot be read: ${reasonOf(cause)}`, 'name the directory or archive of a backup', cause)
  })
  if (!kind.isDirectory()) yield* readArchive(path)
  else if (existsSync(join(path, MANIFEST_FILE))) yield* readDirectory(path)
  else if (hasStore(path)) yield* (await readStoreFiles(path, toUtcDay(Date.now()))).files
  else {
    throw storeOpenError(
      path,
      `has neither ${MANIFEST_FILE} nor a store, so it is not a complete backup`,
      'use another backup'
    )
  }
}

/** Reads the manifest of a directory; `undefined` if it has none. @throws {StoreOpenError} */
export async function findManifest(directory: string): Promise<BackupManifest | undefined> {
  const path = join(directory, MANIFEST_FILE)
  return existsSync(path) ? parseManifest(path, await readFile(path, 'utf8')) : undefined
}

async function* readDirectory(directory: string): AsyncGenerator<ReadFile, void> {
  const files = (await findManifest(directory))?.files ?? []
  for (const expected of files) {
    const path = join(directory, expected.name)
    if (!existsSync(path)) throw incomplete(directory, `${expected.name} is missing`)
    const found = new Digest(directory, createReadStream(path))
    yield { name: expected.name, content: found.content() }
    found.assertEquals(expected)
  }
}

async function* readArchive(path: string): AsyncGenerator<ReadFile, void> {
  const digests = new Map<string, Digest>()
  let manifest: BackupManifest | undefined
  try {
    for await (const { name, content } of readTar(await openArchive(path))) {
      if (!isBackupFileName(name)) throw incomplete(path, `${JSON.stringify(name)} is not a file of a backup`)
      if (name === MANIFEST_FILE) {
        const parts: Uint8Array[] = []
        for await (const part of content) parts.push(part)
        manifest = parseManifest(path, Buffer.concat(parts).toString())
        continue
      }
      const found = new Digest(path, content)
      digests.set(name, found)
      yield { name, content: found.content() }
    }
  } catch (cause) {
    if (cause instanceof StoreOpenError) throw cause
    throw incomplete(path, reasonOf(cause), cause)
  }
  if (!manifest) throw incomplete(path, `${MANIFEST_FILE} is missing`)
  for (const expected of manifest.files) {
    const found = digests.get(expected.name)
    if (!found) throw incomplete(path, `${expected.name} is missing`)
    found.assertEquals(expected)
  }
}

/** Archives of gzip start with these two bytes. */
async function openArchive(path: string): Promise<AsyncIterable<Uint8Array>> {
  const [first, second] = await readFirst(path)
  const stream = createReadStream(path)
  if (first !== 0x1f || second !== 0x8b) return stream
  const gunzip = createGunzip()
  stream.on('error', (error) => gunzip.destroy(error))
  return stream.pipe(gunzip)
}

async function readFirst(path: string): Promise<Uint8Array> {
  for await (const chunk of createReadStream(path, { start: 0, end: 1 }) as AsyncIterable<Buffer>) return chunk
  return new Uint8Array()
}

/** The length and hash of what is read of a file. */
class Digest {
  readonly #path: string
  readonly #source: AsyncIterable<Uint8Array>
  readonly #hash = createHash('sha256')
  #bytes = 0
  #sha256 = ''

  /** @param path The backup, for messages. */
  constructor(path: string, source: AsyncIterable<Uint8Array>) {
    this.#path = path
    this.#source = source
  }

  async *content(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of this.#source) {
        this.#hash.update(chunk)
        this.#bytes += chunk.length
        yield chunk
      }
    } catch (cause) {
      throw incomplete(this.#path, reasonOf(cause), cause)
    }
    this.#sha256 = this.#hash.digest('hex')
  }

  /** Requires that the content was read to its end. */
  assertEquals({ name, bytes, sha256 }: BackupFile): void {
    if (this.#bytes !== bytes) throw incomplete(this.#path, `${name} has ${this.#bytes} bytes instead of ${bytes}`)
    if (this.#sha256 !== sha256) throw incomplete(this.#path, `the content of ${name} has changed`)
  }
}

function incomplete(path: string, problem: string, cause?: unknown): StoreOpenError {
  return storeOpenError(path, `is damaged or incomplete: ${problem}`, 'use another backup', cause)
}

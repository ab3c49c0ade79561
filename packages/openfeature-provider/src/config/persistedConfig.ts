import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord, withDeadline } from '@burgee/kit'
import { writeFileAtomic } from '@burgee/kit/files'
import { stringifyInSlices } from '../lib/json.ts'
import { documentDecoder } from '../lib/text.ts'
import { type ConfigUpdate, ownsUpdate, type Source } from '../sources/source.ts'

/** Identifies the format of the file. */
const FORMAT = 'burgee-config-1'

/** The shortest time between two updates of the file's modification time. */
const CONFIRM_MS = 60_000

/** The timeout for reading, because an unreachable network file system may never respond. */
const READ_MS = 1_000

/** A stored config, and when it was last known to be current. */
export interface StoredConfig {
  readonly update: ConfigUpdate
  /** Epoch milliseconds. */
  readonly confirmedAt: number
}

/** The options of a persisted config. */
export interface PersistedConfigOptions {
  readonly path: string
  /** The source of the config; a file of another source is not read. The file stores only a hash of its name. */
  readonly source: Source
  /** The largest document, in bytes. */
  readonly maxBytes: number
  readonly now: () => number
}

/**
 * Persists the last valid config in a file, for starts without the server. Stream addresses are omitted, because
 * they contain the SDK key.
 */
export class PersistedConfig {
  readonly #options: PersistedConfigOptions
  #next: ConfigUpdate | undefined
  #writing: Promise<void> | undefined
  /** Whether the file exists and can be confirmed. */
  #isWritten = false
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(options: PersistedConfigOptions) {
    this.#options = options
  }

  /**
   * Returns the stored config, or undefined if there is no file.
   *
   * @throws if the file cannot be read in time, or belongs to another source.
   */
  read(): Promise<StoredConfig | undefined> {
    return withDeadline(READ_MS, this.#read(), () => {
      throw new Error(`it cannot be read within ${READ_MS} ms`)
    })
  }

  /** Writes a config. Of the configs that arrive during a write, only the last is written. */
  async save(update: ConfigUpdate): Promise<void> {
    this.#next = update
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  /** Records in the modification time that the stored config is still current. */
  async confirm(): Promise<void> {
    const now = this.#options.now()
    if (!this.#isWritten || this.#writing || Math.abs(now - this.#confirmedAt) < CONFIRM_MS) return
    this.#confirmedAt = now
    await utimes(this.#options.path, now / 1000, now / 1000)
  }

  /** Resolves when no write is in progress. */
  async whenWritten(): Promise<void> {
    await this.#writing?.catch(() => {})
  }

  async #read(): Promise<StoredConfig | undefined> {
    const { path, source, maxBytes } = this.#options
    const file = await stat(path).catch((error) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!file) return undefined
    // Reading a pipe or device may never end.
    if (!file.isFile()) throw new Error('it is not a regular file')
    // A document can grow somewhat when it is serialized again.
    if (file.size > 2 * maxBytes) throw new Error(`it is larger than ${2 * maxBytes} bytes`)
    const stored: unknown = JSON.parse(documentDecoder().decode(await readFile(path)))
    if (!isRecord(stored) || stored.format !== FORMAT) throw new Error(`its "format" should be "${FORMAT}"`)
    const owner = typeof stored.owner === 'string' ? stored.owner : undefined
    if (stored.source !== hashOf(source) || !ownsUpdate(source, owner)) {
      throw new Error('it belongs to another server, environment or SDK key')
    }
    const update = {
      config: stored.config,
      etag: typeof stored.etag === 'string' ? stored.etag : undefined,
      lastModified: typeof stored.lastModified === 'number' ? stored.lastModified : undefined,
      owner
    }
    this.#isWritten = true
    return { update, confirmedAt: file.mtimeMs }
  }

  async #write(): Promise<void> {
    const { path, source, now } = this.#options
    for (let next = this.#next; next; next = this.#next) {
      this.#next = undefined
      const { config, etag, lastModified, owner } = next
      const { sse: _, ...document } = isRecord(config) ? config : {}
      const head = JSON.stringify({ format: FORMAT, source: hashOf(source), owner, etag, lastModified })
      const text = `${head.slice(0, -1)},"config":${await stringifyInSlices(document)}}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFileAtomic(path, text)
      this.#isWritten = true
      this.#confirmedAt = now()
      await utimes(path, this.#confirmedAt / 1000, this.#confirmedAt / 1000)
    }
  }
}

function hashOf({ name }: Source): string {
  return createHash('sha256').update(name).digest('hex')
}

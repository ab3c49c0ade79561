import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '../lib/json.ts'
import { type ConfigUpdate, ownsUpdate, type Source } from '../sources/source.ts'

/** What the file says that it is. */
const FORMAT = 'burgee-config-1'

/** How often at most the file is told that what it holds is still current. */
const CONFIRM_MS = 60_000

/** How long reading may take: a file system that is away may never answer. */
const READ_MS = 1_000

/** A copy that was read, and when what it holds was last known to be current. */
export interface StoredConfig {
  readonly update: ConfigUpdate
  /** Epoch milliseconds. */
  readonly confirmedAt: number
}

/** What a copy is told. */
export interface PersistedConfigOptions {
  readonly path: string
  /** What it is a copy of; a copy of something else is not read. The file keeps no more of its name than a hash. */
  readonly source: Source
  /** The largest document that there may be, in bytes. */
  readonly maxBytes: number
  readonly now: () => number
}

/**
 * The last good document in a file, for a start without the server. It is written beside the file and renamed, so that
 * a reader finds a whole one whenever it looks. The addresses of streams are left out: they hold the SDK key.
 */
export class PersistedConfig {
  readonly #options: PersistedConfigOptions
  #waiting: ConfigUpdate | undefined
  #writing: Promise<void> | undefined
  /** Whether there is a copy that can be confirmed. */
  #isThere = false
  #confirmedAt = Number.NEGATIVE_INFINITY

  constructor(options: PersistedConfigOptions) {
    this.#options = options
  }

  /**
   * The copy, or undefined when there is none.
   *
   * @throws when the file cannot be read in time, or is no copy of what it should be.
   */
  async read(): Promise<StoredConfig | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it cannot be read within ${READ_MS} ms`)), READ_MS)
    })
    try {
      return await Promise.race([this.#read(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Writes a document; of several that come while one is written, only the last. */
  async save(delivery: ConfigUpdate): Promise<void> {
    this.#waiting = delivery
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  /** Notes that what was saved is still current. */
  async confirm(): Promise<void> {
    const now = this.#options.now()
    if (!this.#isThere || this.#writing || Math.abs(now - this.#confirmedAt) < CONFIRM_MS) return
    this.#confirmedAt = now
    await utimes(this.#options.path, now / 1000, now / 1000)
  }

  /** Resolves when nothing is being written. */
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
    // Reading a pipe or a device may never end.
    if (!file.isFile()) throw new Error('it is not a regular file')
    // Written anew, a document may take somewhat more than as it came.
    if (file.size > 2 * maxBytes) throw new Error(`it is larger than ${2 * maxBytes} bytes`)
    const copy: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!isRecord(copy) || copy.format !== FORMAT) throw new Error(`its "format" should be "${FORMAT}"`)
    const owner = typeof copy.owner === 'string' ? copy.owner : undefined
    if (copy.source !== hashOf(source) || !ownsUpdate(source, owner)) {
      throw new Error('it is the copy of another server, environment or SDK key')
    }
    const delivery = {
      config: copy.config,
      etag: typeof copy.etag === 'string' ? copy.etag : undefined,
      lastModified: typeof copy.lastModified === 'number' ? copy.lastModified : undefined,
      owner
    }
    this.#isThere = true
    return { update: delivery, confirmedAt: file.mtimeMs }
  }

  async #write(): Promise<void> {
    const { path, source, now } = this.#options
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined
      const { config, etag, lastModified, owner } = next
      const { sse: _, ...document } = isRecord(config) ? config : {}
      const copy = { format: FORMAT, source: hashOf(source), owner, etag, lastModified, config: document }
      await writeFileAtomically(path, JSON.stringify(copy))
      this.#isThere = true
      this.#confirmedAt = now()
      await utimes(path, this.#confirmedAt / 1000, this.#confirmedAt / 1000)
    }
  }
}

function hashOf({ name }: Source): string {
  return createHash('sha256').update(name).digest('hex')
}

async function writeFileAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

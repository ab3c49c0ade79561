import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { isRecord } from './isRecord.ts'
import type { Delivery } from './source.ts'

/** What the file says that it is. */
const FORMAT = 'burgee-config-1'

/** How often at most the file is told that what it holds is still current. */
const CONFIRM_MS = 60_000

/** A copy that was read, and when what it holds was last known to be current. */
export interface ReadCopy {
  readonly delivery: Delivery
  /** Epoch milliseconds. */
  readonly confirmedAt: number
}

/**
 * The last good document in a file, for a start without the server. It is written beside the file and renamed, so that
 * a reader finds a whole one whenever it looks. The addresses of streams are left out: they hold the SDK key.
 */
export class PersistedCopy {
  readonly #path: string
  readonly #owner: string
  readonly #now: () => number
  #waiting: Delivery | undefined
  #writing: Promise<void> | undefined
  /** Whether there is a copy that can be confirmed. */
  #isThere = false
  #confirmedAt = Number.NEGATIVE_INFINITY

  /** @param owner What the copy is of; a copy that is of something else is not read. The file keeps no more than its hash. */
  constructor(path: string, owner: string, now: () => number) {
    this.#path = path
    this.#owner = createHash('sha256').update(owner).digest('hex')
    this.#now = now
  }

  /**
   * The copy, or undefined when there is none.
   *
   * @throws when the file cannot be read, or is no copy of what it should be.
   */
  async read(): Promise<ReadCopy | undefined> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    const copy: unknown = JSON.parse(text)
    if (!isRecord(copy) || copy.format !== FORMAT) throw new Error(`its "format" should be "${FORMAT}"`)
    if (copy.owner !== this.#owner) throw new Error('it is the copy of another server, environment or SDK key')
    const delivery = {
      config: copy.config,
      etag: typeof copy.etag === 'string' ? copy.etag : undefined,
      lastModified: typeof copy.lastModified === 'number' ? copy.lastModified : undefined
    }
    this.#isThere = true
    return { delivery, confirmedAt: (await stat(this.#path)).mtimeMs }
  }

  /** Writes a document; of several that come while one is written, only the last. */
  async save(delivery: Delivery): Promise<void> {
    this.#waiting = delivery
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  /** Notes that what was saved is still current. */
  async confirm(): Promise<void> {
    const now = this.#now()
    if (!this.#isThere || this.#writing || Math.abs(now - this.#confirmedAt) < CONFIRM_MS) return
    this.#confirmedAt = now
    await utimes(this.#path, now / 1000, now / 1000)
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing?.catch(() => {})
  }

  async #write(): Promise<void> {
    for (let next = this.#waiting; next; next = this.#waiting) {
      this.#waiting = undefined
      const { config, etag, lastModified } = next
      const { sse: _, ...document } = isRecord(config) ? config : {}
      const text = JSON.stringify({ format: FORMAT, owner: this.#owner, etag, lastModified, config: document })
      await replaceFile(this.#path, text)
      this.#isThere = true
      this.#confirmedAt = this.#now()
      await utimes(this.#path, this.#confirmedAt / 1000, this.#confirmedAt / 1000)
    }
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
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

import { createHash } from 'node:crypto'
import { type FSWatcher, type Stats, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { every, type PeriodicJob, timeSlices } from '@burgee/kit'
import { DocumentReader } from '../config/documentReader.ts'
import { documentDecoder, errorMessage } from '../lib/text.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** The options of a file source. */
export interface FileSourceOptions {
  /** The interval of checks in addition to watching, for file systems without notifications. Default: 5 seconds. */
  readonly pollIntervalMs?: number
}

/** The delay between a change and reading the file: most writers are done by then. */
const DEBOUNCE_MS = 20

/** Reads the config from a file, and reads it again whenever the file is modified or replaced. */
export function fileSource(path: string, options: FileSourceOptions = {}): Source {
  const { pollIntervalMs = 5_000 } = normalizeNumbers(options)
  return restartableSource(`the file ${path}`, (listener) => new FileWatch(path, pollIntervalMs, listener))
}

/** A watched file. */
class FileWatch {
  readonly #path: string
  readonly #listener: SourceListener
  readonly #poll: PeriodicJob
  readonly #documents = new DocumentReader()
  #watcher: FSWatcher | undefined
  #scheduled: NodeJS.Timeout | undefined
  #lastRead = ''
  #isReading = false
  #isChanged = false
  #isClosed = false

  constructor(path: string, pollIntervalMs: number, listener: SourceListener) {
    this.#path = path
    this.#listener = listener
    this.#poll = every(pollIntervalMs, () => this.#readIfChanged(), {
      immediately: true,
      onError: (error) => this.#fail(error)
    })
  }

  close(): void {
    this.#isClosed = true
    void this.#poll.stop()
    clearTimeout(this.#scheduled)
    this.#watcher?.close()
  }

  /** Reads the file, and again if it changes in the meantime, so that the latest version is delivered last. */
  async #readIfChanged(): Promise<void> {
    this.#isChanged = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isChanged && !this.#isClosed) {
      this.#isChanged = false
      await this.#read()
    }
    this.#isReading = false
  }

  /** Reads the file unless it is unchanged. */
  async #read(): Promise<void> {
    this.#watch()
    try {
      const identity = identityOf(await stat(this.#path))
      if (this.#isClosed || identity === this.#lastRead) return
      const bytes = await readFile(this.#path)
      if (this.#isClosed) return
      this.#lastRead = identity
      await this.#deliver(bytes)
    } catch (error) {
      if (this.#isClosed) return
      // A file that becomes readable again is read even if it is unchanged. Its directory may have been replaced.
      this.#lastRead = ''
      this.#unwatch()
      this.#watch()
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#listener.onFailure({ message: `the file ${this.#path} cannot be read: ${errorMessage(error)}` })
  }

  async #deliver(bytes: Buffer): Promise<void> {
    const etag = await digest(bytes)
    let config: unknown
    try {
      config = await this.#documents.read([documentDecoder().decode(bytes)])
    } catch (error) {
      if (this.#isClosed) return
      this.#listener.onFailure({ message: `the file ${this.#path} is not JSON: ${errorMessage(error)}` })
      return
    }
    if (!this.#isClosed) this.#listener.onConfig({ config, etag })
  }

  /** Watches the directory: a watch of the file itself ends when the file is replaced. */
  #watch(): void {
    if (this.#watcher || this.#isClosed) return
    const directory = dirname(this.#path)
    try {
      this.#watcher = watch(directory, { persistent: false }, (_, name) => {
        // The directory was removed, which ended the watch.
        if (name === basename(directory)) this.#unwatch()
        this.#scheduleRead(name === null || name === basename(this.#path))
      })
      this.#watcher.on('error', () => this.#unwatch())
    } catch {
      // The directory does not exist yet, or the file system has no notifications; the next check tries again.
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  /**
   * Schedules a check. Changes of the file are debounced; changes of other files in the directory are throttled, since
   * they may be continuous. They matter because the file can be a symbolic link to one of them.
   */
  #scheduleRead(isFile: boolean): void {
    if (this.#scheduled && !isFile) return
    clearTimeout(this.#scheduled)
    this.#scheduled = setTimeout(() => {
      this.#scheduled = undefined
      void this.#readIfChanged()
    }, DEBOUNCE_MS).unref()
  }
}

/** Returns the hash of a document. The event loop serves others meanwhile. */
async function digest(bytes: Buffer): Promise<string> {
  const slices = timeSlices(setImmediate)
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += HASHED_BYTES) {
    hash.update(bytes.subarray(start, start + HASHED_BYTES))
    await slices.yieldIfDue()
  }
  return hash.digest('base64url')
}

const HASHED_BYTES = 1024 * 1024

function identityOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

import { createHash } from 'node:crypto'
import { type FSWatcher, type Stats, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { errorMessage } from '../lib/text.ts'
import { normalizeNumbers } from '../optionRanges.ts'
import { restartableSource } from './restartableSource.ts'
import type { Source, SourceListener } from './source.ts'

/** How a file is watched. */
export interface FileSourceOptions {
  /** The interval of checks besides watching, for file systems without notifications. Default: 5 seconds. */
  readonly pollIntervalMs?: number
}

/** The delay between a change and reading the file: most writers are done by then. */
const DEBOUNCE_MS = 20

/** Reads the config from a file, again whenever it changes: in place, or by another file that replaces it. */
export function fileSource(path: string, options: FileSourceOptions = {}): Source {
  const { pollIntervalMs = 5_000 } = normalizeNumbers(options)
  return restartableSource(`the file ${path}`, (listener) => new FileWatch(path, pollIntervalMs, listener))
}

/** A watched file. */
class FileWatch {
  readonly #path: string
  readonly #listener: SourceListener
  readonly #poll: NodeJS.Timeout
  #watcher: FSWatcher | undefined
  #scheduled: NodeJS.Timeout | undefined
  #lastRead = ''
  #isReading = false
  #isChanged = false
  #isClosed = false

  constructor(path: string, pollIntervalMs: number, listener: SourceListener) {
    this.#path = path
    this.#listener = listener
    this.#poll = setInterval(() => void this.#readIfChanged(), pollIntervalMs).unref()
    void this.#readIfChanged()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearTimeout(this.#scheduled)
    this.#watcher?.close()
  }

  /** Reads the file; again if it changes meanwhile, so that the last version is delivered last. */
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

  /** Reads the file unless it is the version that was read last. */
  async #read(): Promise<void> {
    this.#watch()
    try {
      const identity = identityOf(await stat(this.#path))
      if (this.#isClosed || identity === this.#lastRead) return
      const text = await readFile(this.#path, 'utf8')
      if (this.#isClosed) return
      this.#lastRead = identity
      this.#deliver(text.replace(/^\uFEFF/, ''))
    } catch (error) {
      if (this.#isClosed) return
      // A file that is readable again is read even if it is unchanged; its directory may be another one then.
      this.#lastRead = ''
      this.#unwatch()
      this.#watch()
      this.#listener.onFailure({ message: `the file ${this.#path} cannot be read: ${errorMessage(error)}` })
    }
  }

  #deliver(text: string): void {
    const etag = createHash('sha256').update(text).digest('base64url')
    let config: unknown
    try {
      config = JSON.parse(text)
    } catch (error) {
      this.#listener.onFailure({ message: `the file ${this.#path} is not JSON: ${errorMessage(error)}` })
      return
    }
    this.#listener.onConfig({ config, etag })
  }

  /** Watches the directory: a watch of the file itself ends when the file is replaced. */
  #watch(): void {
    if (this.#watcher || this.#isClosed) return
    const directory = dirname(this.#path)
    try {
      this.#watcher = watch(directory, { persistent: false }, (_, name) => {
        // The directory was removed, and with it the watch.
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
   * Schedules a check: after the last change of the file, and after the first change beside it, since other files may
   * change all the time. The target of a link changes under other names.
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

function identityOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

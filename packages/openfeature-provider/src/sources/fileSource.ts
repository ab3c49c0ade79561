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
  /** How often the file is looked at besides being watched, for file systems that tell nothing; 5 seconds unless said otherwise. */
  readonly pollIntervalMs?: number
}

/** How long a file rests after a change before it is read: most writers are done by then. */
const SETTLE_MS = 20

/** A config document in a file, read again whenever it changes: in place, or by another file that takes its name. */
export function fileSource(path: string, options: FileSourceOptions = {}): Source {
  const { pollIntervalMs = 5_000 } = normalizeNumbers(options)
  return restartableSource(`the file ${path}`, (listener) => new FileWatch(path, pollIntervalMs, listener))
}

/** A file under watch. */
class FileWatch {
  readonly #path: string
  readonly #listener: SourceListener
  readonly #poll: NodeJS.Timeout
  #watcher: FSWatcher | undefined
  #settling: NodeJS.Timeout | undefined
  #seen = ''
  #isLooking = false
  #isChanged = false
  #isClosed = false

  constructor(path: string, pollIntervalMs: number, listener: SourceListener) {
    this.#path = path
    this.#listener = listener
    this.#poll = setInterval(() => void this.#look(), pollIntervalMs).unref()
    void this.#look()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearTimeout(this.#settling)
    this.#watcher?.close()
  }

  /** Reads the file; once more if it changes meanwhile, so that what is delivered last is what was written last. */
  async #look(): Promise<void> {
    this.#isChanged = true
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#isChanged && !this.#isClosed) {
      this.#isChanged = false
      await this.#read()
    }
    this.#isLooking = false
  }

  /** Reads the file if it is not the one that was read last. */
  async #read(): Promise<void> {
    this.#watch()
    try {
      const identity = identityOf(await stat(this.#path))
      if (this.#isClosed || identity === this.#seen) return
      const text = await readFile(this.#path, 'utf8')
      if (this.#isClosed) return
      this.#seen = identity
      this.#deliver(text.replace(/^\uFEFF/, ''))
    } catch (error) {
      if (this.#isClosed) return
      // What has become unreadable is read again when it is back, changed or not; its directory may be another one then.
      this.#seen = ''
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

  /** Watches the directory: a watch of the file itself ends when another file takes its name. */
  #watch(): void {
    if (this.#watcher || this.#isClosed) return
    const directory = dirname(this.#path)
    try {
      this.#watcher = watch(directory, { persistent: false }, (_, name) => {
        // The directory itself: it is gone, and with it the watch.
        if (name === basename(directory)) this.#unwatch()
        this.#settle(name === null || name === basename(this.#path))
      })
      this.#watcher.on('error', () => this.#unwatch())
    } catch {
      // No such directory yet, or a file system without watches. The poll looks, and tries again.
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  /** Looks soon: at the file after its last change, and otherwise after the first, as something may always change beside it. What it is a link to changes by other names. */
  #settle(isFile: boolean): void {
    if (this.#settling && !isFile) return
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => {
      this.#settling = undefined
      void this.#look()
    }, SETTLE_MS).unref()
  }
}

function identityOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

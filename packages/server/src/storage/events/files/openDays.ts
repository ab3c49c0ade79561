import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { DayWriter } from './dayWriter.ts'

interface Dependencies {
  readonly folder: string
  readonly options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
  /** Called before a day is opened. */
  readonly onOpening: (day: string) => void
  /** Called when the file of a day exists. */
  readonly onOpened: (day: string) => void
  /** Receives the error when closing a day could not write its summary. */
  readonly onUnwritten: (day: string, error: unknown) => void
}

/** The days whose files are open. A day is opened by the first entry of it, and stays open until it is retired. */
export class OpenDays {
  readonly #dependencies: Dependencies
  readonly #open = new Map<string, OpenDay>()
  readonly #closing = new Map<string, Promise<void>>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the writer of a day that is open. */
  find(day: string): Promise<DayWriter> | undefined {
    return this.#open.get(day)?.writer
  }

  has(day: string): boolean {
    return this.#open.has(day)
  }

  isClosing(day: string): boolean {
    return this.#closing.has(day)
  }

  /** Iterates over the open days, which may be retired during the iteration. */
  [Symbol.iterator](): Iterator<string> {
    return this.#open.keys()
  }

  /**
   * Does work with the writer of a day and keeps it open meanwhile. Closes a day whose file another process changed.
   */
  async use<T>(day: string, work: (writer: DayWriter) => Promise<T>): Promise<T> {
    const open = this.#open.get(day) ?? this.#start(day)
    open.users++
    try {
      const writer = await open.writer
      try {
        return await work(writer)
      } catch (error) {
        if (await writer.hasChanged().catch(() => false)) this.#abandon(day, open, writer)
        throw error
      }
    } finally {
      open.users--
      if (open.users === 0) open.onIdle?.()
    }
  }

  /** Closes a day, unless it is in use. */
  retire(day: string): void {
    const open = this.#open.get(day)
    if (!open || open.users > 0) return
    this.#open.delete(day)
    this.#close(
      day,
      open.writer.then((writer) => writer.close())
    )
  }

  /** Does work with the files of a day while they are closed. Uses that begin meanwhile wait for it. */
  async withClosed<T>(day: string, work: () => Promise<T>): Promise<T> {
    const open = this.#open.get(day)
    this.#open.delete(day)
    this.#dependencies.onOpening(day)
    const result = this.closed(day).then(async () => {
      if (open) await idle(open)
      if (open) await (await open.writer).close()
      return work()
    })
    // The caller gets the error.
    const finished = result.then(
      () => {},
      () => {}
    )
    this.#close(day, finished)
    return result
  }

  /** Resolves when a day that was retired is closed. */
  async closed(day: string): Promise<void> {
    await this.#closing.get(day)
  }

  async close(): Promise<void> {
    for (const day of this) this.retire(day)
    await Promise.all(this.#closing.values())
  }

  #start(day: string): OpenDay {
    const { folder, options, onOpening, onOpened } = this.#dependencies
    const writer = this.closed(day).then(() => DayWriter.open(folder, day, options))
    const open: OpenDay = { users: 0, writer }
    this.#open.set(day, open)
    onOpening(day)
    writer.then(
      () => onOpened(day),
      // The next use tries again.
      () => this.#open.delete(day)
    )
    return open
  }

  /** Closes a day whose file has changed. The next use opens the current file. */
  #abandon(day: string, open: OpenDay, writer: DayWriter): void {
    if (this.#open.get(day) !== open) return
    this.#open.delete(day)
    this.#close(day, writer.abandon())
  }

  #close(day: string, closed: Promise<void>): void {
    const closing = closed
      .catch((error) => this.#dependencies.onUnwritten(day, error))
      .then(() => {
        if (this.#closing.get(day) === closing) this.#closing.delete(day)
      })
    this.#closing.set(day, closing)
  }
}

interface OpenDay {
  readonly writer: Promise<DayWriter>
  /** The number of calls of `use` in progress. */
  users: number
  /** Called when there are none. */
  onIdle?: () => void
}

/** Resolves when a day has no users. */
function idle(open: OpenDay): Promise<void> {
  if (open.users === 0) return Promise.resolve()
  return new Promise((resolve) => {
    open.onIdle = resolve
  })
}

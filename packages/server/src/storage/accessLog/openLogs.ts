import { join } from 'node:path'
import { type AppendLog, openAppendLog } from '../disk/appendLog.ts'

interface OpenLogsOptions {
  readonly folder: string
  readonly assertOwned: () => Promise<void>
  readonly onNotice: (message: string) => void
}

interface OpenLog {
  readonly log: Promise<AppendLog>
  uses: number
  isRetired: boolean
}

/** The files of an access log that are open for appending: the one in use, and others until their appends are done. */
export class OpenLogs {
  readonly #options: OpenLogsOptions
  readonly #logs = new Map<string, OpenLog>()

  constructor(options: OpenLogsOptions) {
    this.#options = options
  }

  /** Appends lines to the file of a day. Opens it again if it was removed or replaced. */
  async append(day: string, lines: readonly string[]): Promise<void> {
    try {
      await this.#use(day, (log) => log.append(...lines))
    } catch (error) {
      const open = this.#logs.get(day)
      const isInPlace = await open?.log.then((log) => log.isInPlace()).catch(() => false)
      if (!open || isInPlace) throw error
      this.#retire(day, open)
      await this.#use(day, (log) => log.append(...lines))
    }
  }

  async close(): Promise<void> {
    const logs = [...this.#logs.values()]
    this.#logs.clear()
    await Promise.all(logs.map(async ({ log }) => (await log.catch(() => undefined))?.close()))
  }

  async #use(day: string, work: (log: AppendLog) => Promise<void>): Promise<void> {
    const open = this.#logs.get(day) ?? this.#open(day)
    open.uses++
    try {
      await work(await open.log)
    } finally {
      open.uses--
      this.#closeIfUnused(open)
    }
  }

  #open(day: string): OpenLog {
    for (const [other, log] of this.#logs) this.#retire(other, log)
    const path = join(this.#options.folder, `${day}.jsonl`)
    const { assertOwned, onNotice } = this.#options
    const log = openAppendLog(path, { assertOwned, isExclusive: true }).then((opened) => {
      if (opened.tornBytes > 0) onNotice(`${path}: cut off ${opened.tornBytes} bytes of an incomplete last line`)
      return opened
    })
    const open: OpenLog = { log, uses: 0, isRetired: false }
    this.#logs.set(day, open)
    // The next append tries again.
    log.catch(() => this.#logs.get(day) === open && this.#logs.delete(day))
    return open
  }

  #retire(day: string, open: OpenLog): void {
    this.#logs.delete(day)
    open.isRetired = true
    this.#closeIfUnused(open)
  }

  #closeIfUnused({ log, uses, isRetired }: OpenLog): void {
    if (!isRetired || uses > 0) return
    log.then((opened) => opened.close()).catch((error) => this.#options.onNotice(String(error)))
  }
}

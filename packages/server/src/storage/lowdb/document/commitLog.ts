import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '@burgee/kit/files'
import { type AppendLog, openAppendLog } from '../../disk/appendLog.ts'

/**
 * The commits since the document was written, in files named after their first commit: `commits-12.jsonl`. The files
 * are created by the first commit, and removed when a document contains their commits.
 */
export class CommitLog {
  readonly #directory: string
  readonly #options: CommitLogOptions
  #log: AppendLog | undefined
  /** The file that commits are appended to. */
  #current: string | undefined
  /** The bytes in that file. */
  #size = 0

  constructor(directory: string, options: CommitLogOptions) {
    this.#directory = directory
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  /** Formats the line of a commit while the file is checked, and makes it durable. */
  async append(revision: number, format: () => string): Promise<void> {
    let bytes = 0
    const log = await this.#open(revision)
    await log.appendFormatted(() => {
      const line = format()
      bytes = Buffer.byteLength(line) + 1
      return line
    })
    this.#size += bytes
  }

  /** Resolves if a commit of ordinary size can be appended. */
  async probe(revision: number): Promise<void> {
    const log = await this.#open(revision)
    await log.probe()
  }

  /** Ends the current file: the next commit begins a new one. @throws if the last commit failed and cannot be cut off. */
  async rotate(): Promise<void> {
    // A line that a failed commit left has the number of the next one.
    await this.#log?.cut()
    await this.close()
    this.#current = undefined
    this.#size = 0
  }

  /** Removes the files that a durable document has made unnecessary: all but the current one. */
  async removeOutdated(): Promise<void> {
    const outdated = (await findCommitFiles(this.#directory)).filter((name) => name !== this.#current)
    // After the names were read: later ones can be those of another owner.
    await this.#options.assertOwned()
    for (const name of outdated) await rm(join(this.#directory, name))
    if (outdated.length > 0) await syncDirectory(this.#directory)
  }

  async close(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }

  async #open(revision: number): Promise<AppendLog> {
    if (this.#log) return this.#log
    this.#current = `commits-${revision}.jsonl`
    this.#log = await openAppendLog(join(this.#directory, this.#current), { ...this.#options, isExclusive: true })
    return this.#log
  }
}

interface CommitLogOptions {
  /** Rejects if another process owns the directory by now. */
  readonly assertOwned: () => Promise<void>
  /** Rejects if this process may have been suspended since the owner was last checked, and another one owns it now. */
  readonly assertNotSuspended: () => Promise<void>
  /** Runs after the sync of each append; what it throws rejects the append. */
  readonly prepare: () => Promise<void>
}

/** Returns the names of the files of a commit log in the order of their commits. */
export async function findCommitFiles(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter(isCommitFile)
  return names.sort((one, other) => firstRevisionOf(one) - firstRevisionOf(other))
}

/** Whether a name is that of a file of a commit log. */
export function isCommitFile(name: string): boolean {
  return NAME.test(name)
}

/** Returns the number of the first commit in a file of this name. */
export function firstRevisionOf(name: string): number {
  return Number(NAME.exec(name)?.[1])
}

const NAME = /^commits-(\d+)\.jsonl$/

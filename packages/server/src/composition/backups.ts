import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { every } from '@burgee/kit'
import type { Options } from '../cli/options.ts'
import type { Logger } from '../lib/logger.ts'
import { reasonOf } from '../lib/reasonOf.ts'
import { HOUR, MINUTE } from '../lib/time.ts'
import { COPIES_FOLDER, dateOfCopy, listCopies, type RotationInput } from '../storage/backup/rotateCopies.ts'
import type { StoreLocation } from '../storage/open/openStore.ts'

interface Dependencies {
  readonly location: StoreLocation
  readonly options: Pick<Options, 'backupHours' | 'backupCopies' | 'backupDirectory'>
  readonly now: () => number
  readonly log: Logger
  /** The program of the thread that copies. */
  readonly program: URL
  /** How often to check whether a copy is due, in milliseconds. */
  readonly checkMs?: number | undefined
}

/** Copies a store in a directory periodically, in a thread. Returns the function that stops this. */
export function openRotatingBackups({ location, options, now, log, program, checkMs = CHECK_MS }: Dependencies): {
  readonly close: () => Promise<void>
} {
  const { backupHours: hours, backupCopies: keep } = options
  if (typeof location !== 'string' || hours === 0) return { close: async () => {} }
  const directory = resolve(location)
  const folder = options.backupDirectory === '' ? join(directory, COPIES_FOLDER) : resolve(options.backupDirectory)
  let thread: Worker | undefined
  const copyIfDue = async () => {
    const newest = (await listCopies(folder)).at(-1)
    if (newest !== undefined && now() - dateOfCopy(newest) < hours * HOUR) return
    const input: RotationInput = { directory, folder, keep, now: now() }
    thread = new Worker(program, { workerData: input, env: {} })
    const path = await resultOf(thread)
    if (path !== undefined) log.info(`the store was copied to ${path}`)
  }
  const job = every(checkMs, copyIfDue, {
    onError: (error) => log.error({ err: error }, `the store could not be copied to ${folder}: ${reasonOf(error)}`)
  })
  return {
    close: async () => {
      // An interrupted copy is removed by the next one.
      await thread?.terminate()
      await job.stop()
    }
  }
}

/** Returns the message of a thread; `undefined` if it was terminated. */
function resultOf(thread: Worker): Promise<string | undefined> {
  return new Promise((resolved, rejected) => {
    thread.on('message', resolved)
    thread.on('error', rejected)
    thread.on('exit', () => resolved(undefined))
  })
}

/** The first check is as long after the start, so that a server that restarts often starts fast. */
const CHECK_MS = 10 * MINUTE

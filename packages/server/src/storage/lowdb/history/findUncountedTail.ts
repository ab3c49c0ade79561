import { setTimeout } from 'node:timers/promises'
import type { UncountedTail } from '../../auditLog.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'

/**
 * Returns what a history file contains beyond its recorded end; `undefined` if nothing. Waits for a commit in progress,
 * which writes to the file before it records the new end.
 * @param readLength Reads the recorded end.
 */
export async function findUncountedTail(
  path: string,
  readLength: () => number | Promise<number>
): Promise<UncountedTail | undefined> {
  const before = (await findFileSize(path)) ?? 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await setTimeout(WAIT_MS)
    if ((await readLength()) >= before) return undefined
  }
  const [size = 0, length] = [await findFileSize(path), await readLength()]
  if (size <= length) return undefined
  let lines = 0
  for await (const _ of readLineBytes(path, size, length)) lines++
  return { bytes: size - length, lines }
}

/** A commit takes milliseconds. */
const ATTEMPTS = 5
const WAIT_MS = 100

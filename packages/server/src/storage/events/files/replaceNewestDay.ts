import { createReadStream } from 'node:fs'
import { writeFileAtomic } from '@burgee/kit/files'
import { isDiskFull } from '../../disk/diskFull.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { dayFilePath } from './dayFileNames.ts'

/**
 * Replaces the entries of the newest day by a copy, so that a suspended former owner can only append to the old file. On
 * a full disk, it keeps the file.
 */
export async function replaceNewestDay(
  folder: string,
  days: ReadonlySet<string>,
  { assertOwned }: EventStoreOptions
): Promise<void> {
  const newest = [...days].sort().at(-1)
  if (newest === undefined) return
  const path = dayFilePath(folder, newest)
  try {
    await writeFileAtomic(path, createReadStream(path), { beforeRename: assertOwned })
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

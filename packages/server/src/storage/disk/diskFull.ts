import { statfs } from 'node:fs/promises'
import { hasCode } from '@burgee/kit/files'

/** Whether a write failed because the disk, the quota of the user or the maximum size of files is exhausted. */
export function isDiskFull(error: unknown): boolean {
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].some((code) => hasCode(error, code))) return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}

/**
 * Asserts that the disk of a directory has at least this many free bytes, without writing. A quota can still be
 * exhausted.
 * @throws an error with the code ENOSPC.
 */
export async function assertFreeSpace(directory: string, bytes: number): Promise<void> {
  const { bsize, blocks, bavail, bfree } = await statfs(directory)
  // Some file systems report no size.
  if (blocks === 0) return
  // The superuser may also use the reserved blocks.
  const free = bsize * (process.getuid?.() === 0 ? bfree : bavail)
  if (free >= bytes) return
  const message = `ENOSPC: no space left on device, ${bytes} bytes are required and ${free} are free`
  throw Object.assign(new Error(message), { code: 'ENOSPC' })
}

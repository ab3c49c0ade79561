import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { vi } from 'vitest'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Collects garbage until at most `kept` of the objects are left. Polls, because a collection finds an object only after
 * the turn that read it, and compiled code and pending tasks can hold one for a few turns more.
 */
export async function untilReleased(references: WeakRef<object>[], kept = 0): Promise<void> {
  await vi.waitFor(
    () => {
      collectGarbage()
      const left = references.filter((reference) => reference.deref() !== undefined).length
      if (left > kept) throw new Error(`${left} of ${references.length} objects are still in memory`)
    },
    { timeout: 20_000 }
  )
}

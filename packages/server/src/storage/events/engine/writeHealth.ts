import { every, type PeriodicJob } from '@burgee/kit'

/** Whether writes succeed. */
export interface WriteHealth {
  readonly isSound: () => boolean
  readonly noteSuccess: () => void
  readonly noteFailure: () => void
  readonly close: () => Promise<void>
}

/**
 * Records whether writes succeed. After one that failed, `probe` is called until it resolves: a server that is not ready
 * receives no writes that could succeed.
 */
export function createWriteHealth(probe: () => Promise<void>): WriteHealth {
  let probing: PeriodicJob | undefined
  let failures = 0
  let isClosed = false
  const noteSuccess = () => {
    void probing?.stop()
    probing = undefined
  }
  const tryAgain = async () => {
    const before = failures
    await probe()
    // A write may have failed meanwhile.
    if (failures === before) noteSuccess()
  }
  return {
    isSound: () => probing === undefined,
    noteSuccess,
    noteFailure: () => {
      failures += 1
      if (!isClosed) probing ??= every(PROBE_MS, tryAgain, { onError: () => {} })
    },
    close: async () => {
      isClosed = true
      await probing?.stop()
    }
  }
}

const PROBE_MS = 1_000

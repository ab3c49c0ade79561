import type { StreamTimings } from './streamTimings.ts'

/** Performs an action for many items, a slice per turn of the event loop, so that requests are served in between. */
export interface FanOut<T> {
  /** Queues items that are not queued yet. */
  readonly add: (items: Iterable<T>) => void
  readonly remove: (item: T) => void
  readonly close: () => void
}

/** Starts with a burst and then keeps to a rate. */
export function createFanOut<T>(
  work: (item: T) => void,
  { burst, perSecond }: Pick<StreamTimings, 'burst' | 'perSecond'>
): FanOut<T> {
  const queue = new Set<T>()
  let allowance = burst
  let counted = performance.now()
  let turn: NodeJS.Immediate | undefined
  let wait: NodeJS.Timeout | undefined

  const run = () => {
    turn = undefined
    wait = undefined
    const now = performance.now()
    allowance = Math.min(burst, allowance + ((now - counted) * perSecond) / 1000)
    counted = now
    const end = Math.max(0, allowance - SLICE)
    for (const item of queue) {
      if (allowance < 1 || allowance <= end) break
      queue.delete(item)
      allowance--
      work(item)
    }
    schedule()
  }
  const schedule = () => {
    if (queue.size === 0 || turn || wait) return
    if (allowance >= 1) turn = setImmediate(run)
    else wait = setTimeout(run, WAIT_MS).unref()
  }
  return {
    add: (items) => {
      for (const item of items) queue.add(item)
      schedule()
    },
    remove: (item) => void queue.delete(item),
    close: () => {
      queue.clear()
      clearImmediate(turn)
      clearTimeout(wait)
    }
  }
}

/** Items per turn: about one millisecond of work. */
const SLICE = 100

/** The pause when the rate is exceeded. */
const WAIT_MS = 25

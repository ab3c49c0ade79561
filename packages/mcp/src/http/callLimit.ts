const MINUTE_MS = 60_000

/** How many callers are counted at most; the one counted for longest is forgotten then. */
const MOST = 10_000

/** Counts calls; answers for how many seconds a caller has to wait who made so many within a minute. 0 counts nothing. */
export function createCallLimit(most: number, now: () => number): (caller: string) => Promise<number | undefined> {
  /** The one whose minute began first stands first. */
  const counted = new Map<string, { readonly until: number; calls: number }>()

  const minuteOf = (caller: string) => {
    const known = counted.get(caller)
    if (known && known.until > now()) return known
    const minute = { until: now() + MINUTE_MS, calls: 0 }
    counted.delete(caller)
    counted.set(caller, minute)
    const [oldest = caller] = counted.keys()
    if (counted.size > MOST) counted.delete(oldest)
    return minute
  }

  return async (caller) => {
    if (most === 0) return undefined
    const minute = minuteOf(caller)
    minute.calls++
    return minute.calls > most ? Math.ceil((minute.until - now()) / 1000) : undefined
  }
}

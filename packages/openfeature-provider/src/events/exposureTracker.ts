import type { Resolution } from '@burgee/core'

/** The maximum number of tracked users. When it is reached, all users are reported again. */
const MAX_USERS = 100_000

const HOUR_MS = 3_600_000

/** Tracks which users were exposed to which variation in the current hour, for features that split users. */
export class ExposureTracker {
  /** Feature and variation → users. */
  readonly #users = new Map<string, Set<string>>()
  /** The same sets by resolution: users with the same result share a resolution object. */
  #byResolution = new WeakMap<Resolution, Set<string>>()
  #size = 0
  #hour = 0

  /** Adds an exposure. Returns a function that removes it again, or undefined if it is already tracked. */
  add(user_id: string, resolution: SplitResolution, at: number): (() => void) | undefined {
    const hour = Math.floor(at / HOUR_MS)
    if (hour !== this.#hour || this.#size >= MAX_USERS) this.clear()
    this.#hour = hour
    const users = this.#usersOf(resolution)
    if (users.has(user_id)) return undefined
    users.add(user_id)
    this.#size++
    return () => {
      // The set may have been cleared meanwhile.
      if (users.delete(user_id)) this.#size = Math.max(0, this.#size - 1)
    }
  }

  clear(): void {
    this.#users.clear()
    this.#byResolution = new WeakMap()
    this.#size = 0
  }

  #usersOf(resolution: SplitResolution): Set<string> {
    const set = this.#byResolution.get(resolution)
    if (set) return set
    const { _id, _variation } = resolution.feature
    const name = JSON.stringify([_id, _variation])
    const users = this.#users.get(name) ?? new Set()
    this.#users.set(name, users)
    this.#byResolution.set(resolution, users)
    return users
  }
}

/** A resolution of a feature that serves users different variations. */
export type SplitResolution = Resolution & { readonly status: 'served' }

/** Whether the resolution counts for comparisons: it was chosen by a distribution, or the feature is an experiment. */
export function isSplit(resolution: Resolution): resolution is SplitResolution {
  if (resolution.status !== 'served') return false
  const { type, eval: evaluation } = resolution.feature
  return evaluation.reason === 'SPLIT' || type === 'experiment'
}

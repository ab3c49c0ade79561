import type { Resolution } from '@burgee/core'

/** How many users are remembered, over everything they were served. Beyond that, all are told of again. */
const MAX_USERS = 100_000

const HOUR_MS = 3_600_000

/** Who is known to have been served what, in this hour: of features that are split between users, so that those can be compared. */
export class ExposureTracker {
  /** Feature and variation → the users. */
  readonly #users = new Map<string, Set<string>>()
  /** The same by what is asked about: a resolution is the same object for everybody who is served it. */
  #byResolution = new WeakMap<Resolution, Set<string>>()
  #size = 0
  #hour = 0

  /** Notes that a user was served something. Where that is news, answers how to forget it again. */
  add(user_id: string, resolution: SplitResolution, at: number): (() => void) | undefined {
    const hour = Math.floor(at / HOUR_MS)
    if (hour !== this.#hour || this.#size >= MAX_USERS) this.clear()
    this.#hour = hour
    const users = this.#usersOf(resolution)
    if (users.has(user_id)) return undefined
    users.add(user_id)
    this.#size++
    return () => {
      // Of users that were forgotten meanwhile, none is left to take off.
      if (users.delete(user_id)) this.#size = Math.max(0, this.#size - 1)
    }
  }

  clear(): void {
    this.#users.clear()
    this.#byResolution = new WeakMap()
    this.#size = 0
  }

  #usersOf(resolution: SplitResolution): Set<string> {
    const known = this.#byResolution.get(resolution)
    if (known) return known
    const { _id, _variation } = resolution.feature
    const name = JSON.stringify([_id, _variation])
    const users = this.#users.get(name) ?? new Set()
    this.#users.set(name, users)
    this.#byResolution.set(resolution, users)
    return users
  }
}

/** What a user is served of a feature that others are served otherwise. */
export type SplitResolution = Resolution & { readonly status: 'served' }

/** Whether users are compared by what they are served here: it was chosen by their share, or the feature is an experiment. */
export function isSplit(resolution: Resolution): resolution is SplitResolution {
  if (resolution.status !== 'served') return false
  const { type, eval: evaluation } = resolution.feature
  return evaluation.reason === 'SPLIT' || type === 'experiment'
}

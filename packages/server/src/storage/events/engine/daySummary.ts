import type { UserReplacement } from '../erasure/replaceUser.ts'
import type { EventEntry } from '../eventEntry.ts'
import { utcHourStart } from '../utcDay.ts'
import { type DayCardinality, EnvironmentSummary } from './environmentSummary.ts'

/** The summary of the entries of a day: evaluations and users by hour, for each environment. */
export class DaySummary {
  /** By the id of the environment. */
  readonly environments: Map<string, EnvironmentSummary> = new Map()
  readonly #cardinality: DayCardinality = { counts: 0, isCoarse: false }

  /** Returns the summary of an environment; creates it if it is missing. */
  environment(environment: string): EnvironmentSummary {
    const known = this.environments.get(environment)
    if (known) return known
    const created = new EnvironmentSummary(this.#cardinality)
    this.environments.set(environment, created)
    return created
  }

  /** Whether counts were merged because the day has too many. */
  get isCoarse(): boolean {
    return this.#cardinality.isCoarse
  }

  /** Whether a set of users has the digest of this user, or a platform contains the id. */
  hasUser(replacement: UserReplacement): boolean {
    return this.#summariesOf(replacement).some((summary) => {
      const { user_id } = replacement
      return [...summary.users].some(({ users }) => users.hasExactly(user_id)) || summary.hasPlatform(replacement)
    })
  }

  /** Replaces a user in the sets of users and in platforms. Returns whether any of them had it. */
  replaceUser(replacement: UserReplacement): boolean {
    const summaries = this.#summariesOf(replacement)
    const sets = summaries.flatMap((summary) => [...summary.users])
    const replaced = sets.filter(({ users }) => users.replace(replacement.user_id, replacement.replacement))
    const renamed = summaries.filter((summary) => summary.renamePlatforms(replacement))
    return replaced.length + renamed.length > 0
  }

  #summariesOf({ environments }: UserReplacement): readonly EnvironmentSummary[] {
    return environments.flatMap((id) => this.environments.get(id) ?? [])
  }

  add({ environment, at, counts, exposures }: Pick<EventEntry, 'environment' | 'at' | 'counts' | 'exposures'>): void {
    if (counts.length === 0 && exposures.length === 0) return
    const summary = this.environment(environment)
    const hour = utcHourStart(at)
    for (const { count, ...served } of counts) summary.addCount({ hour, ...served }, count)
    for (const exposure of exposures) summary.addExposure(hour, exposure)
  }
}

/** The summary of a day, and the part of its file that the summary covers. */
export interface DayState {
  readonly summary: DaySummary
  /** The number of bytes of the file that the summary covers. */
  covered: number
  /** Start of an hour → offset in the file of its first entry. */
  readonly hours: Map<number, number>
  /**
   * The last earlier day that had files when the summary was first written, so that a start notices if they are
   * missing.
   */
  previous?: string | undefined
}

import type { SdkType } from '@burgee/contract'
import { MAX_USER_ID_LENGTH } from '@burgee/contract/schemas'
import { audiencesOf, type Resolution, type User } from '@burgee/core'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import { type EventEntry, type Exposure, OTHER_PLATFORM } from '../../storage/events/eventEntry.ts'
import { utcHourStart } from '../../storage/events/utcDay.ts'
import {
  type EvaluationOutcome,
  type EventSource,
  evaluationOf,
  eventSourceOf,
  type VariableIndex,
  variableIndexOf
} from './evaluationOf.ts'
import { type CounterLabels, HourBuffer } from './hourBuffer.ts'

/** An evaluation of a single variable by this server. */
export interface Evaluation {
  readonly caller: Pick<KeyConfig, 'environment' | 'keyType' | 'features' | 'variables' | 'evaluator'>
  readonly user: {
    readonly user_id?: string | undefined
    readonly platform?: string | null | undefined
    readonly sdkType?: string | null | undefined
  }
  /** The user with everything that the evaluation knew, which audiences depend on. */
  readonly known: User
  /** The requested key of the variable. */
  readonly key: string
  readonly resolution: Resolution
  /** In epoch milliseconds. */
  readonly at: number
}

/** Counts the evaluations of one environment in memory until they are appended to the event store. */
export class EvaluationBuffer {
  readonly #environment: string
  readonly #id: () => string
  /** By the start of the hour in which the evaluations happened. */
  readonly #pending = new Map<number, HourBuffer>()
  /** The hour of the latest evaluation, which `#platforms` and `#exposed` refer to. */
  #hour = 0
  readonly #platforms = new Map<EventEntry['keyType'], Set<string>>()
  /**
   * The exposures of the hour: feature → user id → their last exposure. Defaults are kept apart: variables of one
   * feature can alternate between a variation and the default, which is not a change.
   */
  readonly #exposed = { toVariations: new Map<string, LastExposures>(), toDefaults: new Map<string, LastExposures>() }
  #exposedSize = 0
  /** Entries that may be stored already. They are retried unchanged, so that the store recognizes them by their id. */
  readonly #uncertain = new Set<EventEntry>()
  /** The uncertain entries that are not being appended. */
  #waiting: EventEntry[] = []
  /** The time of the latest evaluation. */
  #latest = 0

  /** @param id Creates the ids of entries, which no other server gives. */
  constructor(environment: string, id: () => string) {
    this.#environment = environment
    this.#id = id
  }

  /** Counts an evaluation. Returns the number of exposures that did not fit: 0 or 1. */
  record({ caller, user, known, key, resolution, at }: Evaluation): number {
    this.#enterHourOf(at)
    this.#latest = at
    const pending = this.#pendingAt(utcHourStart(at))
    const { keyType } = caller
    const source = this.#limitPlatforms(eventSourceOf(user, { keyType, sdkType: 'api' }), keyType)
    const labels = () => ({
      ...outcomeOf(resolution, key, variableIndexOf(caller.features, caller.variables)),
      ...source
    })
    const counter =
      resolution.status === 'served'
        ? pending.servedCounter(resolution, `${source.sdkType} ${source.platform}`, labels)
        : pending.counter(labels())
    pending.increment(counter, at)
    const { user_id } = user
    // Events of users with longer ids are refused, so there is nothing to attribute to their exposure.
    if (!user_id || user_id.length > MAX_USER_ID_LENGTH || this.#isRecorded(user_id, counter.labels)) return 0
    const { feature, variation, sdkType, platform } = counter.labels
    // Nothing is computed from the platforms and audiences of defaults.
    if (variation === undefined) return pending.addExposure({ user_id, feature, variation, sdkType }, at) ? 0 : 1
    const audiences = audiencesOf(caller.evaluator, known, { now: at })
    const exposure = { user_id, feature, variation, sdkType, platform, count: 1 }
    return pending.addExposure(audiences.length > 0 ? { ...exposure, audiences } : exposure, at) ? 0 : 1
  }

  /**
   * Limits the platforms of an entry that an application reported. A reported exposure to another variation also makes
   * the next evaluation of that user be recorded again, so that the order of exposures stays right.
   */
  normalizeReported(entry: EventEntry): EventEntry {
    if (entry.counts.length === 0 && entry.exposures.length === 0) return entry
    this.#enterHourOf(entry.at)
    for (const exposure of entry.exposures) {
      const users = this.#exposuresOf(exposure).get(exposure.feature ?? '')
      const last = users?.get(exposure.user_id)
      if (!users || !last || last.variation === exposure.variation) continue
      this.#addRepeats(exposure, last)
      users.set(exposure.user_id, NO_EXPOSURE)
    }
    return { ...entry, counts: entry.counts.map((count) => this.#limitPlatforms(count, entry.keyType)) }
  }

  /**
   * Removes all buffered evaluations and returns them, one entry for each hour, after those that may be stored already.
   * @param withUsers Includes which users the evaluations since their exposures are of. Otherwise, that is kept until
   *   the hour is over, because it takes an exposure for each user.
   */
  drain(withUsers = false): EventEntry[] {
    const waiting = this.#waiting.splice(0)
    if (this.#uncertain.size >= MAX_UNCERTAIN) return waiting
    if (withUsers) this.#addAllRepeats()
    const entries = [...this.#pending.values()].map((pending) => pending.toEntry(this.#environment, this.#id()))
    this.#pending.clear()
    return [...waiting, ...entries]
  }

  /** Forgets an entry whose append was acknowledged. */
  acknowledge(entry: EventEntry): void {
    this.#uncertain.delete(entry)
  }

  /**
   * Puts back an entry that could not be appended. Returns how many evaluations and exposures did not fit.
   * @param mayBeStored Whether it may have been appended.
   */
  restore(entry: EventEntry, mayBeStored = false): number {
    if (mayBeStored) this.#uncertain.add(entry)
    if (this.#uncertain.has(entry)) {
      this.#waiting.push(entry)
      return 0
    }
    let dropped = this.#pendingAt(utcHourStart(entry.at)).restore(entry)
    const oldest = Math.min(...this.#pending.keys())
    if (this.#pending.size > MAX_HOURS) {
      dropped += this.#pending.get(oldest)?.size ?? 0
      this.#pending.delete(oldest)
    }
    return dropped
  }

  /** Ends the hour of the latest evaluation if it is over at the given time. */
  endHour(at: number): void {
    if (this.#exposedSize > 0 && utcHourStart(at) > this.#hour) this.#enterHourOf(at)
  }

  /** The number of buffered evaluations. */
  get size(): number {
    const pending = [...this.#pending.values()].reduce((sum, { size }) => sum + size, 0)
    return this.#waiting.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, pending)
  }

  /** Whether the buffer is empty and its hour has passed, so that it can be discarded. */
  isIdle(at: number): boolean {
    return this.#pending.size === 0 && this.#uncertain.size === 0 && utcHourStart(at) !== this.#hour
  }

  #enterHourOf(at: number): void {
    const hour = utcHourStart(at)
    if (hour === this.#hour) return
    this.#addAllRepeats()
    this.#hour = hour
    this.#platforms.clear()
    this.#clearExposed()
  }

  #pendingAt(hour: number): HourBuffer {
    const existing = this.#pending.get(hour)
    if (existing) return existing
    const buffer = new HourBuffer()
    this.#pending.set(hour, buffer)
    return buffer
  }

  /**
   * Replaces the platform by `other` once an hour has too many different ones. Each type of key has its own limit, so
   * that names sent with public keys do not displace others.
   */
  #limitPlatforms<S extends EventSource>(source: S, keyType: EventEntry['keyType']): S {
    const { platform } = source
    const platforms = this.#platforms.get(keyType) ?? new Set()
    this.#platforms.set(keyType, platforms)
    if (platforms.has(platform)) return source
    if (platforms.size >= MAX_PLATFORMS) return { ...source, platform: OTHER_PLATFORM }
    platforms.add(platform)
    return source
  }

  /**
   * Whether an exposure of a user is already recorded for the hour, with no other variation since. If not, it is from
   * now on.
   */
  #isRecorded(user_id: string, labels: CounterLabels): boolean {
    const { feature, variation, sdkType } = labels
    const platform = variation === undefined ? undefined : labels.platform
    const exposures = this.#exposuresOf(labels)
    const last = exposures.get(feature ?? '')?.get(user_id)
    const sources = last?.variation === variation ? (last?.sources ?? []) : []
    for (const source of sources) {
      if (source.sdkType !== sdkType || source.platform !== platform) continue
      // Nothing is computed from who got defaults how often.
      if (variation !== undefined) source.repeats++
      return true
    }
    if (last && sources.length === 0) this.#addRepeats({ user_id }, last)
    if (!last && this.#exposedSize >= MAX_EXPOSED) this.#clearExposed()
    if (!last) this.#exposedSize++
    const users = exposures.get(feature ?? '') ?? new Map<string, LastExposure>()
    const source = { sdkType, platform, repeats: 0 }
    exposures.set(feature ?? '', users.set(user_id, { feature, variation, sources: [...sources, source] }))
    return false
  }

  #exposuresOf({ variation }: Pick<Exposure, 'variation'>): Map<string, LastExposures> {
    return variation === undefined ? this.#exposed.toDefaults : this.#exposed.toVariations
  }

  /** Buffers which users the evaluations since their exposures are of. */
  #addAllRepeats(): void {
    for (const exposures of Object.values(this.#exposed)) {
      for (const users of exposures.values()) {
        for (const [user_id, last] of users) this.#addRepeats({ user_id }, last)
      }
    }
  }

  /** Buffers the evaluations of a user since their exposure. Without room, they count without a user. */
  #addRepeats({ user_id }: Pick<Exposure, 'user_id'>, { feature, variation, sources }: LastExposure): void {
    for (const source of sources) {
      if (source.repeats === 0) continue
      const { sdkType, platform, repeats: count } = source
      const repeated = { user_id, feature, variation, sdkType, platform, count, isRepeated: true }
      this.#pendingAt(this.#hour).addExposure(repeated, this.#latest)
      source.repeats = 0
    }
  }

  #clearExposed(): void {
    this.#addAllRepeats()
    this.#exposed.toVariations.clear()
    this.#exposed.toDefaults.clear()
    this.#exposedSize = 0
  }
}

/** The last exposures by user id. */
type LastExposures = Map<string, LastExposure>

/** The variation that a user got last, and from where. */
interface LastExposure {
  readonly feature: string | undefined
  readonly variation: string | undefined
  readonly sources: readonly ExposureSource[]
}

interface ExposureSource {
  readonly sdkType: SdkType
  readonly platform: string | undefined
  /** The number of evaluations since the last exposure that was buffered. */
  repeats: number
}

const NO_EXPOSURE: LastExposure = { feature: undefined, variation: undefined, sources: [] }

/** The maximum number of buffered hours while the event store refuses writes. */
const MAX_HOURS = 24

/** The number of uncertain entries from which further evaluations stay aggregated in the buffer. */
const MAX_UNCERTAIN = 10

/** The maximum number of platforms in an hour of an environment, for each type of key. */
const MAX_PLATFORMS = 20

/**
 * The maximum number of exposures remembered for the hour. Beyond it, exposures are recorded again, which is harmless.
 */
const MAX_EXPOSED = 100_000

/**
 * An evaluation that served no variation counts as the default of the variable's feature, even when the feature is off.
 */
function outcomeOf(resolution: Resolution, key: string, index: VariableIndex): EvaluationOutcome {
  if (resolution.status !== 'served') return evaluationOf(index, key)
  return evaluationOf(index, resolution.variable.key, resolution.feature._variation)
}

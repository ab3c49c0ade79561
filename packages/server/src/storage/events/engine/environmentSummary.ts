import type { SdkType } from '@burgee/contract'
import { type IdReplacement, replacePlatform } from '../erasure/replaceId.ts'
import { type Exposure, OTHER_PLATFORM } from '../eventEntry.ts'
import { DistinctUsers } from './distinctUsers.ts'

/**
 * The summary of the entries of a day in one environment. Holders of public keys can invent platforms and variables, so
 * the number of counts is limited: beyond the limit they are merged, first without variable and platform, then without
 * feature. Totals stay exact.
 */
export class EnvironmentSummary {
  /** Names are interned: stored with each count they would take a kilobyte. */
  readonly #items = new InternTable<ServedItem>()
  readonly #origins = new InternTable<EvaluationOrigin>()
  /** Start of an hour → item and origin as one number → count. */
  readonly #hours = new Map<number, Map<number, number>>()
  readonly #users = new Map<string, HourlyUsers>()
  /** Shared by all environments of the day. */
  readonly #day: DayCardinality

  constructor(day: DayCardinality) {
    this.#day = day
  }

  get served(): Iterable<ServedCount> {
    return this.#served()
  }

  /** The number of counts. */
  get size(): number {
    return [...this.#hours.values()].reduce((sum, { size }) => sum + size, 0)
  }

  get users(): Iterable<HourlyUsers> {
    return this.#users.values()
  }

  /** Adds to a count, or to a merged one if there are too many counts. Returns which one. */
  addCount(kind: ServedKind, count: number): ServedKind {
    if (this.#add(kind, count, FINE)) return kind
    this.#day.isCoarse = true
    const { hour, feature, variation, sdkType } = kind
    const coarse = { hour, feature, variation, platform: OTHER_PLATFORM, sdkType }
    if (this.#add(coarse, count, COARSE)) return coarse
    const total = { hour, platform: OTHER_PLATFORM, sdkType }
    this.#add(total, count)
    return total
  }

  /**
   * Restores a count that was stored before, when the limits were applied to it. Databases and transfers store missing
   * names as empty ones.
   */
  restoreCount({ count, feature, variable, variation, ...kind }: ServedCount): void {
    const names = { feature: feature || undefined, variable: variable || undefined, variation: variation || undefined }
    this.#add({ ...kind, ...names }, count)
  }

  /** Whether a platform contains the id. */
  hasPlatform(id: IdReplacement): boolean {
    return this.#origins.values.some(({ platform }) => replacePlatform(platform, id) !== platform)
  }

  /** Replaces the id in platforms; returns whether any contained it. */
  renamePlatforms(id: IdReplacement): boolean {
    if (!this.hasPlatform(id)) return false
    this.#origins.rename(({ platform, sdkType }) => {
      const renamed = replacePlatform(platform, id)
      return [toOriginName(renamed, sdkType), { platform: renamed, sdkType }]
    })
    return true
  }

  addExposure(hour: number, { user_id, sdkType }: Pick<Exposure, 'user_id' | 'sdkType'>): void {
    this.usersOf(hour, sdkType).add(user_id)
  }

  usersOf(hour: number, sdkType: SdkType): DistinctUsers {
    const key = `${hour} ${sdkType}`
    const known = this.#users.get(key)
    if (known) return known.users
    const users = new DistinctUsers()
    this.#users.set(key, { hour, sdkType, users })
    return users
  }

  /** Returns false, and adds nothing, when this would be a new count beyond the limit. */
  #add({ hour, platform, sdkType, ...item }: ServedKind, added: number, limit: CardinalityLimit = UNLIMITED): boolean {
    const counts = this.#hours.get(hour) ?? new Map<number, number>()
    const { feature = '', variable = '', variation = '' } = item
    // None of the names contains a NUL.
    const [itemName, originName] = [`${feature}\0${variable}\0${variation}`, toOriginName(platform, sdkType)]
    const [itemId, originId] = [this.#items.find(itemName), this.#origins.find(originName)]
    const isNew = itemId === undefined || originId === undefined || !counts.has(toCountId(itemId, originId))
    if (isNew && (counts.size >= limit.hour || this.#day.counts >= limit.day)) return false
    const id = toCountId(this.#items.intern(itemName, item), this.#origins.intern(originName, { platform, sdkType }))
    if (isNew) this.#day.counts++
    this.#hours.set(hour, counts.set(id, Math.min((counts.get(id) ?? 0) + added, Number.MAX_SAFE_INTEGER)))
    return true
  }

  *#served(): Generator<ServedCount, void> {
    for (const [hour, counts] of this.#hours) {
      for (const [id, count] of counts) {
        const item = this.#items.at(Math.floor(id / MAX_ORIGINS))
        const origin = this.#origins.at(id % MAX_ORIGINS)
        if (item && origin) yield { hour, ...item, ...origin, count }
      }
    }
  }
}

/** How often a variation was served in an hour. Missing members are unknown or merged. */
export interface ServedCount {
  /** Its start, in epoch milliseconds. */
  readonly hour: number
  readonly feature?: string | undefined
  readonly variable?: string | undefined
  readonly variation?: string | undefined
  readonly platform: string
  readonly sdkType: SdkType
  readonly count: number
}

/** What a count distinguishes. */
export type ServedKind = Omit<ServedCount, 'count'>

type ServedItem = Pick<ServedCount, 'feature' | 'variable' | 'variation'>

type EvaluationOrigin = Pick<ServedCount, 'platform' | 'sdkType'>

/** The users for whom variables were evaluated in an hour. */
export interface HourlyUsers {
  /** Its start, in epoch milliseconds. */
  readonly hour: number
  readonly sdkType: SdkType
  readonly users: DistinctUsers
}

/** The number of counts of a day, in all environments. */
export interface DayCardinality {
  counts: number
  /** Whether counts were merged. */
  isCoarse: boolean
}

/** The maximum number of separate counts: in an hour of an environment, and in the day. */
interface CardinalityLimit {
  readonly hour: number
  readonly day: number
}

const FINE: CardinalityLimit = { hour: 20_000, day: 250_000 }

const COARSE: CardinalityLimit = { hour: 40_000, day: 500_000 }

const UNLIMITED: CardinalityLimit = { hour: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY }

/** More origins than a day can have counts; with it, the number for an item and an origin is an exact integer. */
const MAX_ORIGINS = 2 ** 20

function toOriginName(platform: string, sdkType: SdkType): string {
  return `${platform}\0${sdkType}`
}

function toCountId(item: number, origin: number): number {
  return item * MAX_ORIGINS + origin
}

/** Values with consecutive numbers. */
class InternTable<T> {
  readonly #numbers = new Map<string, number>()
  readonly #values: T[] = []

  find(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  intern(name: string, value: T): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#values.length)
    return this.#values.push(value) - 1
  }

  at(number: number): T | undefined {
    return this.#values[number]
  }

  get values(): readonly T[] {
    return this.#values
  }

  /** Renames values, which keep their numbers. Different values must get different names. */
  rename(toRenamed: (value: T) => readonly [name: string, value: T]): void {
    this.#numbers.clear()
    for (const [number, value] of this.#values.entries()) {
      const [name, renamed] = toRenamed(value)
      this.#values[number] = renamed
      this.#numbers.set(name, number)
    }
  }
}

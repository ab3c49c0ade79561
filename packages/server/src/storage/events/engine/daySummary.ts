import { type EventEntry, type Exposure, OTHER_PLATFORM, type SdkType } from '../eventEntry.ts'
import { utcHourStart } from '../utcDay.ts'
import { DistinctUsers } from './distinctUsers.ts'

/** What the entries of a day come to: how often what was served, and for whom, hour by hour. */
export class DaySummary {
  /** Id → what happened there. */
  readonly environments: Map<string, EnvironmentSummary>
  readonly #extent: Cardinality = { cells: 0, isCoarse: false }

  constructor() {
    this.environments = new Map()
  }

  /** What is known of an environment, and from now on counted there. */
  environment(environment: string): EnvironmentSummary {
    const known = this.environments.get(environment)
    if (known) return known
    const made = new EnvironmentSummary(this.#extent)
    this.environments.set(environment, made)
    return made
  }

  /** Whether there was so much to tell apart that some of it was not. */
  get isCoarse(): boolean {
    return this.#extent.isCoarse
  }

  add({ environment, at, counts, exposures }: Pick<EventEntry, 'environment' | 'at' | 'counts' | 'exposures'>): void {
    if (counts.length === 0 && exposures.length === 0) return
    const summary = this.environment(environment)
    const hour = utcHourStart(at)
    for (const { count, ...kind } of counts) summary.addCount({ hour, ...kind }, count)
    for (const exposure of exposures) summary.addExposure(hour, exposure)
  }
}

/** What is known of a day, and of how much of its file that is. */
export interface DayState {
  readonly summary: DaySummary
  /** How many bytes of the file are counted in the summary. */
  covered: number
  /** Start of an hour → where in the file its first entry stands. */
  readonly hours: Map<number, number>
}

/**
 * What a day's entries come to in one environment. Anybody with a public key can make counts of their own, so there are
 * no more than fit: beyond that, variables and platforms are told apart no more, and at last features neither.
 */
export class EnvironmentSummary {
  /** What is served and where it comes from have numbers: names would take a kilobyte for each count. */
  readonly #things = new InternTable<ServedItem>()
  readonly #sources = new InternTable<EvaluationOrigin>()
  /** Start of an hour → both numbers in one → how often. */
  readonly #hours = new Map<number, Map<number, number>>()
  readonly #users = new Map<string, HourlyUsers>()
  /** Of the day, in all environments. */
  readonly #day: Cardinality

  constructor(day: Cardinality) {
    this.#day = day
  }

  get served(): Iterable<ServedCount> {
    return this.#served()
  }

  /** How many counts there are. */
  get size(): number {
    return [...this.#hours.values()].reduce((sum, { size }) => sum + size, 0)
  }

  get users(): Iterable<HourlyUsers> {
    return this.#users.values()
  }

  addCount({ hour, feature, variable, variation, platform, sdkType }: Omit<ServedCount, 'count'>, count: number): void {
    const source = { platform, sdkType }
    if (this.#add(hour, { feature, variable, variation }, source, count, FINE)) return
    this.#day.isCoarse = true
    const coarse = { platform: OTHER_PLATFORM, sdkType }
    if (this.#add(hour, { feature, variation }, coarse, count, COARSE)) return
    this.#add(hour, {}, coarse, count)
  }

  /** Whether there was room for it. */
  #add(
    hour: number,
    thing: ServedItem,
    source: EvaluationOrigin,
    count: number,
    most: CardinalityLimit = UNBOUNDED
  ): boolean {
    const cells = this.#hours.get(hour) ?? new Map<number, number>()
    const number = (things: number, sources: number) => things * MAX_SOURCES + sources
    const { feature = '', variable = '', variation = '' } = thing
    // What is served has many names, none of which can have a NUL.
    const [name, from] = [`${feature}\0${variable}\0${variation}`, `${source.platform}\0${source.sdkType}`]
    const [known, origin] = [this.#things.find(name), this.#sources.find(from)]
    const isNew = known === undefined || origin === undefined || !cells.has(number(known, origin))
    if (isNew && (cells.size >= most.hour || this.#day.cells >= most.day)) return false
    const cell = number(this.#things.numberOf(name, thing), this.#sources.numberOf(from, source))
    if (isNew) this.#day.cells++
    this.#hours.set(hour, cells.set(cell, Math.min((cells.get(cell) ?? 0) + count, Number.MAX_SAFE_INTEGER)))
    return true
  }

  *#served(): Generator<ServedCount, void> {
    for (const [hour, cells] of this.#hours) {
      for (const [cell, count] of cells) {
        const thing = this.#things.at(Math.floor(cell / MAX_SOURCES))
        const source = this.#sources.at(cell % MAX_SOURCES)
        if (thing && source) yield { hour, ...thing, ...source, count }
      }
    }
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
}

/** How often one thing was served in an hour. */
export interface ServedCount {
  /** When it starts, in epoch milliseconds. */
  readonly hour: number
  readonly feature?: string | undefined
  readonly variable?: string | undefined
  readonly variation?: string | undefined
  readonly platform: string
  readonly sdkType: SdkType
  readonly count: number
}

/** How much there is to tell apart. */
interface Cardinality {
  /** How many counts there are. */
  cells: number
  /** Whether there was too much. */
  isCoarse: boolean
}

type ServedItem = Pick<ServedCount, 'feature' | 'variable' | 'variation'>

type EvaluationOrigin = Pick<ServedCount, 'platform' | 'sdkType'>

/** How many counts there may be for another one to be made: in an hour of an environment, and in the day. */
interface CardinalityLimit {
  readonly hour: number
  readonly day: number
}

const FINE: CardinalityLimit = { hour: 20_000, day: 250_000 }

const COARSE: CardinalityLimit = { hour: 40_000, day: 500_000 }

/** For what is told apart by nothing: a few counts an hour. */
const UNBOUNDED: CardinalityLimit = { hour: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY }

/** More sources than there can be counts in a day; and with it, both numbers fit into one that is exact. */
const MAX_SOURCES = 2 ** 20

/** Things that have numbers. */
class InternTable<T> {
  readonly #numbers = new Map<string, number>()
  readonly #things: T[] = []

  find(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  numberOf(name: string, thing: T): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#things.length)
    return this.#things.push(thing) - 1
  }

  at(number: number): T | undefined {
    return this.#things[number]
  }
}

/** For whom variables were evaluated in an hour. */
export interface HourlyUsers {
  /** When it starts, in epoch milliseconds. */
  readonly hour: number
  readonly sdkType: SdkType
  readonly users: DistinctUsers
}

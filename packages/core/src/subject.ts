import { isRecord } from './isRecord.ts'
import type { Judge } from './judge.ts'
import type { User } from './types/user.ts'
import type { Verdict } from './verdict.ts'
import { parseUserVersion, type Version } from './version.ts'

/** A user of any shape. */
export type Readable = Readonly<Partial<Record<keyof User, unknown>>>

/** What one filter asks of a user, or several that say the same: nothing but the user decides it. */
export interface Condition {
  /** What it asks, as text. */
  readonly name: string
  readonly test: (subject: Subject) => boolean
  /** The round in which it was asked last, and the outcome. */
  round: number
  isPassed: boolean
}

/** The conditions met so far by name: filters that ask the same share one. */
export type Conditions = Map<string, Condition>

/** What an evaluation reads of a config around its features. */
export interface Surroundings {
  /** By id. */
  readonly audiences: ReadonlyMap<unknown, Judge>
  /** Whether opt-in filters can match. */
  readonly isOptInEnabled: boolean
  /** Whether a user whom a rollout turns away goes on to the next target. */
  readonly isPassthrough: boolean
}

/** What a feature tells those who are asked about it. */
interface Askable {
  /** Its id if users can opt in to it where the project lets them. */
  readonly optInId: string | undefined
}

/** How many evaluations have remembered so far. Counted for all configs, so that no two ever share a number. */
let rounds = 0

/** Says nothing of anybody. */
const NOBODY: Readable = Object.freeze({})

/** The user of a subject that no evaluation uses. */
export const RESTING: Readable = Object.freeze({})

/** The user of one evaluation, at its moment. Reads a user of any shape: what is not there or of another type is absent. */
export class Subject {
  readonly around: Surroundings
  user: Readable = RESTING
  /** Which of the evaluations that remember this is; 0 if it does not. */
  #round = 0
  #moment: number | undefined
  #rollout: string | undefined
  #versions: { [M in VersionMember]?: Version } | undefined
  /** How many operators deep the evaluation is, none at its beginning and its end; see `operator.ts`. */
  depth = 0
  /** What has been found of this user while one feature is decided, by what was asked. */
  readonly verdicts = new Map<unknown, Verdict>()
  #feature: Askable | undefined

  constructor(around: Surroundings) {
    this.around = around
  }

  /** Makes this the user of an evaluation that begins; `now` is the clock's moment when it is left out. */
  become(user: unknown, now: number | undefined): this {
    this.user = isRecord(user) ? user : NOBODY
    this.#moment = now
    this.#rollout = undefined
    this.#versions = undefined
    this.#round = 0
    this.#feature = undefined
    return this
  }

  /** Turns to a feature. No feature learns from what was found for another. */
  turnTo(feature: Askable): void {
    if (feature === this.#feature) return
    this.#feature = feature
    // To clear a map costs as much as two hashes, also when it is empty.
    if (this.verdicts.size) this.verdicts.clear()
  }

  /** From now on a condition is asked once. Worth its cost where many features ask. */
  remember(): this {
    this.#round = ++rounds
    return this
  }

  /** Whether the user passes a condition. */
  passes(condition: Condition): boolean {
    const round = this.#round
    if (round === 0) return condition.test(this)
    if (condition.round !== round) {
      condition.isPassed = condition.test(this)
      condition.round = round
    }
    return condition.isPassed
  }

  /** The moment of the evaluation. The clock is asked once at most, and only for a rollout: it costs as much as a hash. */
  get now(): number {
    this.#moment ??= Date.now()
    return this.#moment
  }

  /** The id as rollouts hash it, made once for all of them. */
  get rolloutId(): string | undefined {
    if (this.#rollout === undefined && this.id !== undefined) this.#rollout = toRolloutValue(this.id)
    return this.#rollout
  }

  get id(): string | undefined {
    return textOf(this.user.user_id)
  }

  /** A version member, parsed once per evaluation. */
  version(member: VersionMember, text: string): Version {
    this.#versions ??= {}
    if (!(member in this.#versions)) this.#versions[member] = parseUserVersion(text)
    return this.#versions[member]
  }

  /** A custom attribute as filters see it: the private one hides the public one, even when it is `null`. */
  customValue(key: string): unknown {
    const { customData, privateCustomData } = this.user
    const value = privateCustomData ? read(privateCustomData, key) : undefined
    return value === undefined ? read(customData, key) : value
  }

  /** A custom attribute as it is hashed: the public one comes first, unless it says nothing. */
  hashedText(key: string): string {
    const value = read(this.user.customData, key) || read(this.user.privateCustomData, key)
    return value && typeof value !== 'object' ? String(value) : 'null'
  }

  hasOptedIn(): boolean {
    const id = this.#feature?.optInId
    return id !== undefined && this.around.isOptInEnabled && Boolean(read(this.user.optIns, id))
  }
}

/** The text that is hashed when a rollout admits users, instead of the one that variations are chosen by (`evaluation.md` §3.2). */
export function toRolloutValue(value: string): string {
  // Joined, the text lies in one piece; added up, it would be put together anew for every character that is read.
  return [value, '_rollout'].join('')
}

/** The members that hold versions. */
export type VersionMember = 'appVersion' | 'platformVersion'

/** A member of a user if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** An own member. What objects inherit are functions and objects, so any other value tells by itself that it is their own. */
function read(data: unknown, key: string): unknown {
  if (!isRecord(data)) return undefined
  const value = data[key]
  return (typeof value !== 'object' && typeof value !== 'function') || Object.hasOwn(data, key) ? value : undefined
}

import { MAX_USER_ID_LENGTH } from '@burgee/contract/schemas'
import type { Resolution } from '@burgee/core'
import type { KeyConfig } from '../../delivery/configs/configs.ts'
import { type EventEntry, type Exposure, OTHER_PLATFORM, type SdkType } from '../../storage/events/eventEntry.ts'
import { utcHourStart } from '../../storage/events/utcDay.ts'
import { type EvaluationOutcome, evaluationOf } from './evaluationOf.ts'
import { type EventSource, eventSourceOf } from './eventSource.ts'
import { HourBuffer } from './hourBuffer.ts'
import { type VariableIndex, variableIndexOf } from './variableIndex.ts'

/** An evaluation of a single variable, by whoever asked the server for it. */
export interface Evaluation {
  readonly caller: Pick<KeyConfig, 'environment' | 'keyType' | 'features' | 'variables'>
  /** Whom it was for. */
  readonly user: {
    readonly user_id?: string | undefined
    readonly platform?: string | null | undefined
    readonly sdkType?: string | null | undefined
  }
  /** Of the variable, as it was asked for. */
  readonly key: string
  readonly resolution: Resolution
  /** When it happened, in epoch milliseconds. */
  readonly at: number
}

/** What was evaluated in one environment. */
export class EvaluationBuffer {
  readonly #environment: string
  /** By the hour in which it happened. */
  readonly #pending = new Map<number, HourBuffer>()
  /** The hour of what happened last; the sets are about it. */
  #hour = 0
  readonly #platforms = new Map<EventEntry['keyType'], Set<string>>()
  /** A feature, and whether it gave a variation or the default → id of the user → what they got last. */
  readonly #exposed = new Map<string, Map<string, LastExposure>>()
  #exposedSize = 0

  constructor(environment: string) {
    this.#environment = environment
  }

  /** Counts an evaluation. Answers how much of it there was no room for: the user, or nothing. */
  record({ caller, user, key, resolution, at }: Evaluation): number {
    this.#turn(at)
    const pending = this.#pendingAt(utcHourStart(at))
    const { keyType } = caller
    const sender = this.#told(eventSourceOf(user, { keyType, sdkType: 'api' }), keyType)
    const counted = () => ({
      ...outcomeOf(resolution, key, variableIndexOf(caller.features, caller.variables)),
      ...sender
    })
    const cell =
      resolution.status === 'served'
        ? pending.servedCounter(resolution, `${sender.sdkType} ${sender.platform}`, counted)
        : pending.cell(counted())
    pending.increment(cell, at)
    const { feature, variation, sdkType } = cell.labels
    // Whose events are refused is not compared.
    if (!user.user_id || user.user_id.length > MAX_USER_ID_LENGTH) return 0
    const exposure = { user_id: user.user_id, feature, variation, sdkType }
    return this.#isExposed(exposure) || pending.addExposure(exposure) ? 0 : 1
  }

  /** What an application reported, with no more platforms than are told apart. Who got something else by it is recorded anew when they get what they had. */
  normalizeReported(entry: EventEntry): EventEntry {
    if (entry.counts.length === 0 && entry.exposures.length === 0) return entry
    this.#turn(entry.at)
    for (const exposure of entry.exposures) {
      const users = this.#exposed.get(exposureKey(exposure))
      const known = users?.get(exposure.user_id)
      if (known && known.variation !== exposure.variation) users?.set(exposure.user_id, NO_EXPOSURE)
    }
    return { ...entry, counts: entry.counts.map((count) => this.#told(count, entry.keyType)) }
  }

  /** Takes out everything that waits, one entry for each hour. */
  drain(): EventEntry[] {
    const entries = [...this.#pending.values()].map((pending) => pending.toEntry(this.#environment))
    this.#pending.clear()
    return entries
  }

  /** Takes back what could not be appended. Answers how much of it, or of what waited longer, there was no room for. */
  restore(entry: EventEntry): number {
    let dropped = this.#pendingAt(utcHourStart(entry.at)).restore(entry)
    const oldest = Math.min(...this.#pending.keys())
    if (this.#pending.size > MAX_HOURS) {
      dropped += this.#pending.get(oldest)?.size ?? 0
      this.#pending.delete(oldest)
    }
    return dropped
  }

  /** How many evaluations wait. */
  get size(): number {
    return [...this.#pending.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Whether nothing waits here, and nothing that is remembered matters any more. */
  isIdle(at: number): boolean {
    return this.#pending.size === 0 && utcHourStart(at) !== this.#hour
  }

  #turn(at: number): void {
    const hour = utcHourStart(at)
    if (hour === this.#hour) return
    this.#hour = hour
    this.#platforms.clear()
    this.#forgetExposed()
  }

  #pendingAt(hour: number): HourBuffer {
    const known = this.#pending.get(hour)
    if (known) return known
    const made = new HourBuffer()
    this.#pending.set(hour, made)
    return made
  }

  /** Platforms can have any name: of too many, the rest are told apart no more. What comes with keys that everybody has takes no place of others. */
  #told<S extends EventSource>(sender: S, keyType: EventEntry['keyType']): S {
    const { platform } = sender
    const platforms = this.#platforms.get(keyType) ?? new Set()
    this.#platforms.set(keyType, platforms)
    if (platforms.has(platform)) return sender
    if (platforms.size >= MAX_PLATFORMS) return { ...sender, platform: OTHER_PLATFORM }
    platforms.add(platform)
    return sender
  }

  /** Whether it was recorded in this hour that this user got this, and nothing else since; from now on it was. */
  #isExposed(exposure: Exposure): boolean {
    const { user_id, variation, sdkType } = exposure
    const name = exposureKey(exposure)
    const known = this.#exposed.get(name)?.get(user_id)
    const sdkTypes = known?.variation === variation ? (known?.sdkTypes ?? []) : []
    if (sdkTypes.includes(sdkType)) return true
    if (!known && this.#exposedSize >= MAX_EXPOSED) this.#forgetExposed()
    if (!known) this.#exposedSize++
    const users = this.#exposed.get(name) ?? new Map<string, LastExposure>()
    this.#exposed.set(name, users.set(user_id, { variation, sdkTypes: [...sdkTypes, sdkType] }))
    return false
  }

  #forgetExposed(): void {
    this.#exposed.clear()
    this.#exposedSize = 0
  }
}

/** What a user got last, and by which types of SDK. */
interface LastExposure {
  readonly variation: string | undefined
  readonly sdkTypes: readonly SdkType[]
}

const NO_EXPOSURE: LastExposure = { variation: undefined, sdkTypes: [] }

/** Variables of one feature can give a variation and the default by turns, which is no change. */
function exposureKey({ feature = '', variation }: Exposure): string {
  return `${variation === undefined ? 'default' : 'served'} ${feature}`
}

/** How many hours wait at most to be appended, where the disk takes nothing. */
const MAX_HOURS = 24

/** How many different platforms are told apart in an hour, by what comes with one type of key. */
const MAX_PLATFORMS = 20

/** How many exposures of the hour are remembered, so that they are not recorded again. Repeats are harmless. */
const MAX_EXPOSED = 100_000

/** What came of an evaluation. Also of a variable that is switched off here, or not for this type of key, it is known whose it is. */
function outcomeOf(resolution: Resolution, key: string, catalogue: VariableIndex): EvaluationOutcome {
  if (resolution.status !== 'served') return evaluationOf(catalogue, key)
  return evaluationOf(catalogue, resolution.variable.key, () => resolution.feature._variation)
}

import type { SdkKeyType, SdkType } from '@burgee/contract'
import type { CustomData } from '@burgee/core'

/**
 * The events of one request, or evaluations that the server counted itself, in one environment. An entry is stored as a
 * whole or not at all.
 */
export interface EventEntry {
  readonly environment: string
  /** The time of arrival, in epoch milliseconds. Results use it, since clocks of clients are not reliable. */
  readonly at: number
  /** The id that the sender gave it; a repeated payload has the same. */
  readonly payloadId?: string | undefined
  /**
   * The id of a batch of evaluations that the server counted itself. A store whose commits can have an unknown outcome
   * stores a repeated batch once.
   */
  readonly batchId?: string | undefined
  /** The type of the SDK key. Absent for evaluations that the server counted itself. */
  readonly keyType?: SdkKeyType | undefined
  /** A digest of the payload and its address, since different payloads can have the same id. */
  readonly payloadDigest?: string | undefined
  /** The events that are stored individually: all but evaluations. */
  readonly reports: readonly TrackedReport[]
  readonly counts: readonly EvaluationCount[]
  readonly exposures: readonly Exposure[]
}

/** How often an evaluation had one result. */
export interface EvaluationCount {
  /** Key of the variable; absent if there is none with this key, since callers can invent any number of keys. */
  readonly variable?: string | undefined
  /** Id of the feature that carries the variable. */
  readonly feature?: string | undefined
  /** Id of the variation that was served; absent where the application's default was used. */
  readonly variation?: string | undefined
  readonly platform: string
  readonly sdkType: SdkType
  readonly count: number
}

/** A user for whom a variable was evaluated, and the result. */
export interface Exposure {
  readonly user_id: string
  /** Id of the feature that carries the variable, where there is one. */
  readonly feature?: string | undefined
  /** Id of the variation that was served; absent where the application's default was used. */
  readonly variation?: string | undefined
  readonly sdkType: SdkType
  /** Absent in exposures of earlier versions. */
  readonly platform?: string | undefined
  /** How often the variable was evaluated for the user, as far as that is not in another exposure; 0 if absent. */
  readonly count?: number | undefined
  /** Whether it only adds evaluations to an earlier exposure of the hour. It has no audiences. */
  readonly isRepeated?: boolean | undefined
  /** Ids of the audiences that the user was in. Absent in exposures of earlier versions, and if there are none. */
  readonly audiences?: readonly string[] | undefined
}

/** Replaces the platform in merged counts. */
export const OTHER_PLATFORM = 'other'

/** The platform of evaluations without one. */
export const UNKNOWN_PLATFORM = 'unknown'

/** The meaning of a type of evaluation events. */
export interface EvaluationEventType {
  /** Whether a variation was served, or the application's default used. */
  readonly isServed: boolean
  /** Whether the event is about one user; otherwise it is a count over all users of the sender. */
  readonly isOfUser: boolean
}

/** The types of events that report evaluations (docs/reference/events.md). */
export const evaluationEventTypes: ReadonlyMap<string, EvaluationEventType> = new Map([
  ['aggVariableEvaluated', { isServed: true, isOfUser: false }],
  ['aggVariableDefaulted', { isServed: false, isOfUser: false }],
  ['variableEvaluated', { isServed: true, isOfUser: true }],
  ['variableDefaulted', { isServed: false, isOfUser: true }]
])

/** The events of one user. */
export interface TrackedReport {
  readonly user: TrackedUser
  readonly events: readonly TrackedEvent[]
}

/** One event. */
export interface TrackedEvent {
  readonly type: string
  /** The name that the application gave it, if `type` is `customEvent`. */
  readonly customType?: string | undefined
  readonly target?: string | undefined
  /** When the event happened, in epoch milliseconds of the client clock. */
  readonly date?: number | undefined
  /** When the SDK recorded the event, in epoch milliseconds of the client clock. */
  readonly clientDate?: number | undefined
  readonly value?: number | undefined
  /** Id of a feature that the user was served → id of the variation. */
  readonly featureVars?: Readonly<Record<string, string>> | undefined
  readonly metaData?: Readonly<Record<string, unknown>> | undefined
}

/** The user of an event: the attributes that results distinguish by. Never contains private custom data. */
export interface TrackedUser {
  readonly user_id: string
  readonly customData?: CustomData | undefined
  readonly platform?: string | undefined
  readonly sdkType?: string | undefined
  readonly sdkVersion?: string | undefined
}

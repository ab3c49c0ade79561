import type { SdkKeyType } from '@burgee/contract'
import type { CustomData } from '@burgee/core'

/** What happened in an environment, as one request told it, or as the server counted it in a moment. It is kept whole or not at all. */
export interface EventEntry {
  readonly environment: string
  /** When the server learned of it, in epoch milliseconds. By this moment everything in it counts: clocks of clients are not trusted. */
  readonly at: number
  /** What the sender named it by; one that comes again has the same. */
  readonly payloadId?: string | undefined
  /** The type of the key that it came with: some keys are in everybody's hands. What the server counted itself has none. */
  readonly keyType?: SdkKeyType | undefined
  /** A digest of what the payload said, and of where it came in: another payload can have the same name. */
  readonly payloadDigest?: string | undefined
  /** The events that are kept one by one: all but evaluations. */
  readonly reports: readonly TrackedReport[]
  readonly counts: readonly EvaluationCount[]
  readonly exposures: readonly Exposure[]
}

/** How often one thing came of an evaluation. */
export interface EvaluationCount {
  /** Key of the variable; absent for those that do not exist, whose names can be anything. */
  readonly variable?: string | undefined
  /** Id of the feature that carries the variable. */
  readonly feature?: string | undefined
  /** Id of the variation that was served; absent where the application's default was used. */
  readonly variation?: string | undefined
  readonly platform: string
  readonly sdkType: SdkType
  readonly count: number
}

/** Somebody for whom a variable was evaluated, and what they got. */
export interface Exposure {
  readonly user_id: string
  /** Id of the feature that carries the variable, where there is one. */
  readonly feature?: string | undefined
  /** Id of the variation that was served; absent where the application's default was used. */
  readonly variation?: string | undefined
  readonly sdkType: SdkType
}

/** Where evaluations can come from, as results tell them apart. */
export const sdkTypes = ['client', 'server', 'mobile', 'api'] as const

/** Where evaluations come from. */
export type SdkType = (typeof sdkTypes)[number]

/** What stands for platforms that are not told apart. */
export const OTHER_PLATFORM = 'other'

/** What a type of events that tell of evaluations says about them. */
export interface EvaluationEventType {
  /** Whether a variation was served, or the application's default used. */
  readonly isServed: boolean
  /** Whether the user it comes with got it; otherwise the sender counted for all of its users. */
  readonly isOfUser: boolean
}

/** The types of events that tell of evaluations (`evaluation.md` §8). */
export const evaluationEventTypes: ReadonlyMap<string, EvaluationEventType> = new Map([
  ['aggVariableEvaluated', { isServed: true, isOfUser: false }],
  ['aggVariableDefaulted', { isServed: false, isOfUser: false }],
  ['variableEvaluated', { isServed: true, isOfUser: true }],
  ['variableDefaulted', { isServed: false, isOfUser: true }]
])

/** What one user did. */
export interface TrackedReport {
  readonly user: TrackedUser
  readonly events: readonly TrackedEvent[]
}

/** One event. */
export interface TrackedEvent {
  readonly type: string
  /** Of the type `customEvent`: the application's own word for it. */
  readonly customType?: string | undefined
  readonly target?: string | undefined
  /** When it happened: epoch milliseconds, by the clock of the client. */
  readonly date?: number | undefined
  /** When the SDK noted it: epoch milliseconds, by the clock of the client. */
  readonly clientDate?: number | undefined
  readonly value?: number | undefined
  /** Id of each feature that the user got → id of the variation. */
  readonly featureVars?: Readonly<Record<string, string>> | undefined
  readonly metaData?: Readonly<Record<string, unknown>> | undefined
}

/** Whose event it is: as much of the user as results are told apart by. Private custom data is never among it. */
export interface TrackedUser {
  readonly user_id: string
  readonly customData?: CustomData | undefined
  readonly platform?: string | undefined
  readonly sdkType?: string | undefined
  readonly sdkVersion?: string | undefined
}

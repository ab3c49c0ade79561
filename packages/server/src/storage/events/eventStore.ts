import { StoreUnavailableError } from '../store.ts'
import type { EventEntry, SdkType } from './eventEntry.ts'

/**
 * The boundary behind which what happened is kept (ADR 27): apart from the store of what people manage, because there is far more of it,
 * and it is only ever added to. Of entries, everything is kept for some days, and how often and for how many for more than a year.
 */
export interface EventStore {
  /**
   * Resolves when the entry is durable; those that arrive together share the effort. One whose payload id came in its environment, with the same
   * type of key and the same content, within the last hour is that one again, and adds nothing; also when the first is still under way.
   * @throws {EventsUnavailableError} when it could not be made durable; nothing of it is kept.
   */
  append(entry: EventEntry): Promise<void>
  /** How often each variation was served in each of the periods. */
  evaluations(query: EvaluationsQuery): Promise<readonly VariationCounts[]>
  /** For how many different users variables were evaluated in each of the periods: exactly where they are few, about so where they are many. */
  users(query: UsersQuery): Promise<readonly number[]>
  /** When variables of features were last evaluated, to the hour: id of the feature → start of the hour, in epoch milliseconds. Those that were not since `from` are missing. */
  lastEvaluated(query: LastEvaluatedQuery): Promise<ReadonlyMap<string, number>>
  /** What comparing the variations of a feature takes, in the order in which it became durable. */
  eventRecords(query: EventRecordsQuery): AsyncIterable<EventRecord>
  /** How much has been appended in these environments since the server started, by this process (what several nodes need: ADR 27). Where it is the same, so are answers about the past. */
  revision(environments: readonly string[]): number
  /** Whether entries can be kept, as far as it is known: false after one could not, until one can, and for a minute at most if none comes. */
  isWritable(): boolean
  /** Since when evaluations have been counted, in epoch milliseconds; before that, nothing is known. */
  readonly since: number
  /** Waits for what was appended, then lets go of everything. */
  close(): Promise<void>
}

/** Thrown by `append` when an entry could not be made durable. */
export class EventsUnavailableError extends StoreUnavailableError {}

/** From a moment up to, but not including, another one, in epoch milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Which users are counted. Whole hours are: a period has those that begin in it. */
export interface UsersQuery {
  /** Ids. */
  readonly environments: readonly string[]
  /** In order, without overlap. */
  readonly periods: readonly TimeRange[]
  readonly sdkType?: SdkType | undefined
}

/** Which evaluations are counted. Whole hours are: a period has those that begin in it. */
export interface EvaluationsQuery extends UsersQuery {
  /** Id of a feature; without one, all are counted together with those of variables that do not exist. */
  readonly feature?: string | undefined
  /** Key. */
  readonly variable?: string | undefined
  readonly platform?: string | undefined
}

/** Id of the variation → how often it was served; the empty text stands for the application's default. */
export type VariationCounts = ReadonlyMap<string, number>

/** Which features are asked about. */
export interface LastEvaluatedQuery {
  readonly environments: readonly string[]
  /** How far back to look, in epoch milliseconds. */
  readonly from: number
}

/** What is compared. */
export interface EventRecordsQuery {
  readonly environments: readonly string[]
  /** To the millisecond. Only exposures are those since the start of the hour that it begins in: a user who gets the same again is recorded once in an hour. */
  readonly range: TimeRange
  /** Id. */
  readonly feature: string
  /** The application's word for the events that matter. */
  readonly event: string
  /** Is called again and again on the way; what it throws ends the reading. */
  readonly throwIfAborted?: () => void
}

/** One thing that happened. */
export type EventRecord = ExposureRecord | TrackedEventRecord | EvaluationsRecord

/** A user got a variation. */
export interface ExposureRecord {
  readonly type: 'exposure'
  readonly at: number
  readonly environment: string
  readonly user_id: string
  /** Id. */
  readonly variation: string
}

/** A user did what is asked for. */
export interface TrackedEventRecord {
  readonly type: 'event'
  readonly at: number
  readonly environment: string
  readonly user_id: string
  readonly value?: number | undefined
  /** Id of the variation that the event itself says the user had. */
  readonly variation?: string | undefined
}

/** A variation was served, so many times. */
export interface EvaluationsRecord {
  readonly type: 'evaluations'
  readonly at: number
  readonly environment: string
  /** Id. */
  readonly variation: string
  readonly count: number
}

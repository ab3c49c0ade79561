import type { SdkType } from '@burgee/contract'
import { StoreUnavailableError } from '../store.ts'
import type { EventEntry, Exposure, TrackedEvent, TrackedUser } from './eventEntry.ts'
import type { UserTableStore } from './tables/userTableStore.ts'

/**
 * The storage boundary for events (ADR 27). Events are stored apart from managed resources, since there are far more of
 * them, and they are append-only. Entries are kept for the retention in days, and counts for 400 days.
 */
export interface EventStore {
  /**
   * Resolves when the entry is durable; entries that arrive together share an fsync. An entry with the same payload id,
   * environment, type of key and content as one of the last hour adds nothing, even while that one is in progress.
   * @throws {EventsUnavailableError} when it could not be made durable. No part of it is kept.
   */
  append(entry: EventEntry): Promise<void>
  /** Returns how often each variation was served in each period. */
  evaluations(query: EvaluationsQuery): Promise<readonly VariationCounts[]>
  /** Returns the number of distinct users in each period: exact up to 512, then an estimate. */
  users(query: UsersQuery): Promise<readonly number[]>
  /**
   * Returns when features were last evaluated: id → start of the hour, in epoch milliseconds. Omits features without
   * evaluations since `from`.
   */
  lastEvaluated(query: LastEvaluatedQuery): Promise<ReadonlyMap<string, number>>
  /** Reads the records that an experiment compares variations by, in the order of arrival. */
  eventRecords(query: EventRecordsQuery): AsyncIterable<EventRecord>
  /** The time from which no event has expired, in epoch milliseconds; 0 if none has. */
  completeSince(): number
  /** Returns the size of the events of each day that overlaps a range and has some. It changes with each new event. */
  daySizes(range: TimeRange): Promise<ReadonlyMap<string, number>>
  /** What experiments derived from events. `eraseUser` includes it. */
  readonly userTables: UserTableStore
  /**
   * Replaces the id of a user by a random one, including where it is a value in events of other users, and removes all
   * other data of the user from its events. Counts stay. Resolves with the number of exposures and events, when no
   * file contains data of the user.
   * @throws {EventsUnavailableError} when a file could not be rewritten; a repeated call continues.
   */
  eraseUser(query: UserEventsQuery): Promise<number>
  /** Reads all exposures and events of a user, the oldest first, while `isWanted` returns true. */
  userEvents(query: UserEventsQuery): AsyncIterable<UserEvent>
  /**
   * A number that grows with each entry of these environments in this process. While it is the same, so are results.
   */
  revision(environments: readonly string[]): number
  /** Whether the last append succeeded, or appends would succeed again, which is tried every second after a failure. */
  isWritable(): boolean
  /** The time from which events are stored, in epoch milliseconds. */
  readonly since: number
  /** Waits for appends in progress, then closes all files. */
  close(): Promise<void>
}

/** Thrown by `append` when an entry could not be made durable. */
export class EventsUnavailableError extends StoreUnavailableError {}

/** A half-open interval in epoch milliseconds. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Selects users. Counts are hourly: a period has the hours that start in it. */
export interface UsersQuery {
  /** Ids. */
  readonly environments: readonly string[]
  /** In order, without overlap. */
  readonly periods: readonly TimeRange[]
  readonly sdkType?: SdkType | undefined
}

/** Selects evaluations. Counts are hourly: a period has the hours that start in it. */
export interface EvaluationsQuery extends UsersQuery {
  /** Id of a feature. If omitted, all evaluations count, including those of variables that do not exist. */
  readonly feature?: string | undefined
  /** Key. */
  readonly variable?: string | undefined
  readonly platform?: string | undefined
}

/** Id of the variation → how often it was served; the empty string is the application's default. */
export type VariationCounts = ReadonlyMap<string, number>

/** Selects the evaluations of features. */
export interface LastEvaluatedQuery {
  readonly environments: readonly string[]
  /** How far back to look, in epoch milliseconds. */
  readonly from: number
}

/** Selects event records. */
export interface EventRecordsQuery {
  readonly environments: readonly string[]
  /**
   * To the millisecond. Exposures are included from the start of the first hour, since each is recorded once an hour.
   */
  readonly range: TimeRange
  /** Id. */
  readonly feature: string
  /** The type of tracked events, or the application's name of custom ones. */
  readonly event: string
  /** If omitted, all exposures and evaluations count. */
  readonly filter?: ExposureFilter | undefined
  /** Called repeatedly; what it throws ends the reading. */
  readonly throwIfAborted?: () => void
}

/** Selects exposures, and evaluations: these only by platform and SDK type. */
export interface ExposureFilter {
  readonly platform?: string | undefined
  readonly sdkType?: SdkType | undefined
  /** Id of an audience that the user was in. */
  readonly audience?: string | undefined
}

/** Selects the events of a user. */
export interface UserEventsQuery {
  readonly environments: readonly string[]
  readonly user_id: string
  /** Whether reading should continue. Default: always. */
  readonly isWanted?: () => boolean
}

/** What an entry contains about a user. */
export type UserEvent = { readonly at: number; readonly environment: string } & (
  | { readonly type: 'exposure'; readonly exposure: Exposure }
  | { readonly type: 'event'; readonly user: TrackedUser; readonly event: TrackedEvent }
)

/** An event, as experiments need it. */
export type EventRecord = ExposureRecord | TrackedEventRecord | EvaluationsRecord

/** A user was served a variation. */
export interface ExposureRecord {
  readonly type: 'exposure'
  readonly at: number
  readonly environment: string
  readonly user_id: string
  /** Id. */
  readonly variation: string
  /** The evaluations of the user that this exposure stands for, as far as they are known. */
  readonly count?: number | undefined
  /** Whether it only adds evaluations to an earlier exposure. */
  readonly isRepeated?: boolean | undefined
}

/** A user triggered the tracked event. */
export interface TrackedEventRecord {
  readonly type: 'event'
  readonly at: number
  readonly environment: string
  readonly user_id: string
  readonly value?: number | undefined
  /** Id of the variation that the event names. */
  readonly variation?: string | undefined
}

/** A variation was served a number of times. */
export interface EvaluationsRecord {
  readonly type: 'evaluations'
  readonly at: number
  readonly environment: string
  /** Id. */
  readonly variation: string
  readonly count: number
}

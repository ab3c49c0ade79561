import type { EventRecord, ExposureRecord, TrackedEventRecord } from '../../../storage/events/eventStore.ts'
import { digestUser } from '../../../storage/events/tables/userTable.ts'
import { UserRowIndex } from './userRowIndex.ts'
import { NO_ROW, UserVariationTable } from './userVariationTable.ts'

/** Rules for which events count, and for which variation. */
export interface AttributionRules {
  /** Ids of the variations that are compared. */
  readonly variations: readonly string[]
  /** Ignores events without a value. */
  readonly requiresValue: boolean
  /** Ignores events that happened before their user got a variation. */
  readonly requiresPriorExposure: boolean
  /**
   * Counts an event for the variation that it names if its user got any variation; otherwise they must have got that
   * one.
   */
  readonly trustsReportedVariation: boolean
  /** Ignores events of users without an exposure even if there are no exposures at all, because they are filtered. */
  readonly requiresExposure: boolean
}

/** The index of all variations that were removed. Indexes of variations are smaller. */
const REMOVED = 0xfffd

/** The index of events whose user has not got a variation yet. */
const PENDING = 0xfffe

/** Larger absolute values are ignored, so that sums and sums of squares stay finite. */
const MAX_VALUE = 1e15

/** Attributes events to variations, user by user. */
export interface Attribution {
  /** Adds a record. Records must be added in chronological order. */
  readonly add: (record: EventRecord) => void
  /** Returns the events so far, with a row for each user and variation. Row variations are indexes of `variations`. */
  readonly rows: () => UserVariationTable
  /** Whether the events of a row count for its variation, as far as is known now. */
  readonly isAttributed: (row: number) => boolean
  /** Whether any user got a variation. Without exposures, which server SDKs do not send, events are trusted. */
  readonly hasExposures: () => boolean
  /** The number of users who got one of the variations, and of those who got several. */
  readonly exposedUsers: () => ExposedUsers
  /** The number of evaluations of each variation. */
  readonly evaluations: readonly number[]
  /** Returns the state from which `createAttribution` can continue. */
  readonly save: () => AttributionState
}

/** How many users got a variation. */
export interface ExposedUsers {
  readonly users: number
  /** Those who got several variations. */
  readonly multiple: number
}

/** The state of an attribution at one moment. It refers to the rows, and is valid until the next record is added. */
export interface AttributionState {
  readonly rows: UserVariationTable
  readonly firstRows: UserRowIndex
  readonly evaluations: readonly number[]
  readonly hasExposures: boolean
  readonly exposedUsers: ExposedUsers
}

/**
 * Attributes each event to the variation that it names, else to the last one that its user got before, else to the
 * first one that the user gets afterwards (docs/guides/experiments.md, Which events count). Users of different
 * environments are different.
 * @param saved The state to continue from. It must come from the same rules, and its variations must come first.
 */
export function createAttribution(
  { variations, requiresValue, requiresPriorExposure, trustsReportedVariation, requiresExposure }: AttributionRules,
  saved?: AttributionState
): Attribution {
  const indexes = new Map(variations.map((id, index) => [id, index]))
  const indexOf = (id: string) => indexes.get(id) ?? REMOVED
  const evaluations = variations.map((_, index) => saved?.evaluations[index] ?? 0)
  let firstRows = saved?.firstRows ?? new UserRowIndex()
  let rows = saved?.rows ?? new UserVariationTable()
  let hasExposures = saved?.hasExposures ?? false
  let { users, multiple } = saved?.exposedUsers ?? { users: 0, multiple: 0 }

  /** Returns the row of a user and variation, and adds it when missing. */
  const rowOf = (first: number | undefined, user: string, variation: number): number => {
    if (first !== undefined) return rows.find(first, variation) ?? rows.addTo(first, variation)
    const row = rows.add(variation)
    firstRows.set(user, row)
    return row
  }

  const countUser = (first: number): void => {
    const count = rows.countExposed(first, variations.length)
    if (count === 1) users++
    if (count === 2) multiple++
  }

  const addRepeat = (user: string, { variation, count = 0 }: ExposureRecord): void => {
    const first = firstRows.get(user)
    const row = first === undefined ? undefined : rows.find(first, indexOf(variation))
    if (row !== undefined) rows.addEvaluations(row, count)
  }

  const addExposure = (exposure: ExposureRecord): void => {
    const user = digestUser(exposure.environment, exposure.user_id)
    if (exposure.isRepeated) {
      addRepeat(user, exposure)
      return
    }
    // Events before the first exposure of anyone also precede the first exposure of their own user.
    if (requiresPriorExposure && !hasExposures) [firstRows, rows] = [new UserRowIndex(), new UserVariationTable()]
    hasExposures = true
    const variation = indexOf(exposure.variation)
    const first = firstRows.get(user)
    const waiting = first === undefined ? undefined : rows.find(first, PENDING)
    if (first !== undefined && waiting !== undefined) rows.reassign(first, waiting, variation)
    const row = rowOf(first, user, variation)
    const isNew = !rows.isExposed(row)
    rows.markExposed(row)
    rows.addEvaluations(row, exposure.count ?? 0)
    rows.setLatest(first ?? row, row)
    if (trustsReportedVariation) rows.markAllReported(first ?? row)
    if (isNew && variation < variations.length) countUser(first ?? row)
  }

  const addEvent = (event: TrackedEventRecord): void => {
    const value = requiresValue ? event.value : 0
    if (value === undefined || Math.abs(value) > MAX_VALUE) return
    const user = digestUser(event.environment, event.user_id)
    const first = firstRows.get(user)
    // A variation that was removed or never existed is ignored.
    const reported = event.variation === undefined ? undefined : indexes.get(event.variation)
    const latest = first === undefined ? NO_ROW : rows.latest(first)
    const isExposed = latest !== NO_ROW
    const isUnknown = hasExposures || requiresExposure || reported === undefined
    if (requiresPriorExposure && !isExposed && isUnknown) return
    const row = isExposed && reported === undefined ? latest : rowOf(first, user, reported ?? PENDING)
    if (isExposed && trustsReportedVariation) rows.markReported(row)
    rows.addValue(row, value)
  }

  const add = (record: EventRecord): void => {
    if (record.type === 'exposure') addExposure(record)
    else if (record.type === 'event') addEvent(record)
    else {
      const variation = indexes.get(record.variation)
      if (variation !== undefined) evaluations[variation] = (evaluations[variation] ?? 0) + record.count
    }
  }

  return {
    add,
    rows: () => rows,
    isAttributed: (row) => {
      return rows.isAttributable(row) || (trustsReportedVariation && !hasExposures && !requiresExposure)
    },
    hasExposures: () => hasExposures,
    exposedUsers: () => ({ users, multiple }),
    evaluations,
    save: () => {
      return { rows, firstRows, evaluations: [...evaluations], hasExposures, exposedUsers: { users, multiple } }
    }
  }
}

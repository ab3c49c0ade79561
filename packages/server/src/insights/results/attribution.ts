import type { EventRecord, ExposureRecord, TrackedEventRecord } from '../../storage/events/eventStore.ts'
import { createUserRowIndex, NO_ROW, UserVariationTable } from './userVariationTable.ts'

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
}

/** Larger absolute values are ignored, so that sums and sums of squares stay finite. */
const MAX_VALUE = 1e15

type UserRef = Pick<ExposureRecord, 'environment' | 'user_id'>

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
  /** The number of evaluations of each variation. */
  readonly evaluations: Float64Array
}

/**
 * Attributes each event to the variation that it names, else to the last one that its user got before, else to the
 * first one that the user gets afterwards (docs/guides/experiments.md, Which events count). Users of different
 * environments are different.
 */
export function createAttribution({
  variations,
  requiresValue,
  requiresPriorExposure,
  trustsReportedVariation
}: AttributionRules): Attribution {
  const indexes = new Map(variations.map((id, index) => [id, index]))
  // Removed variations share one index, which is neither that of a present variation nor `pending`.
  const indexOf = (id: string) => indexes.get(id) ?? variations.length
  /** The row of events whose user has not got a variation yet. */
  const pending = variations.length + 1
  const evaluations = new Float64Array(variations.length + 1)
  let [firstRows, rows] = [createUserRowIndex(), new UserVariationTable()]
  let hasExposures = false

  /** Returns the row of a user and variation, and adds it when missing. */
  const rowOf = (first: number | undefined, { environment, user_id }: UserRef, variation: number): number => {
    if (first !== undefined) return rows.find(first, variation) ?? rows.addTo(first, variation)
    const row = rows.add(variation)
    firstRows.set(environment, user_id, row)
    return row
  }

  const addExposure = (exposure: ExposureRecord): void => {
    // Events before the first exposure of anyone also precede the first exposure of their own user.
    if (requiresPriorExposure && !hasExposures) [firstRows, rows] = [createUserRowIndex(), new UserVariationTable()]
    hasExposures = true
    const variation = indexOf(exposure.variation)
    const first = firstRows.get(exposure.environment, exposure.user_id)
    const waiting = first === undefined ? undefined : rows.find(first, pending)
    if (first !== undefined && waiting !== undefined) rows.reassign(first, waiting, variation)
    const row = rowOf(first, exposure, variation)
    rows.markExposed(row)
    rows.setLatest(first ?? row, row)
    if (trustsReportedVariation) rows.markAllReported(first ?? row)
  }

  const addEvent = (event: TrackedEventRecord): void => {
    const value = requiresValue ? event.value : 0
    if (value === undefined || Math.abs(value) > MAX_VALUE) return
    const first = firstRows.get(event.environment, event.user_id)
    // A variation that was removed or never existed is ignored.
    const reported = event.variation === undefined ? undefined : indexes.get(event.variation)
    const latest = first === undefined ? NO_ROW : rows.latest(first)
    const isExposed = latest !== NO_ROW
    if (requiresPriorExposure && !isExposed && (hasExposures || reported === undefined)) return
    const row = isExposed && reported === undefined ? latest : rowOf(first, event, reported ?? pending)
    if (isExposed && trustsReportedVariation) rows.markReported(row)
    rows.addValue(row, value)
  }

  const add = (record: EventRecord): void => {
    if (record.type === 'exposure') addExposure(record)
    else if (record.type === 'event') addEvent(record)
    else {
      const variation = indexOf(record.variation)
      evaluations[variation] = (evaluations[variation] ?? 0) + record.count
    }
  }

  return {
    add,
    rows: () => rows,
    isAttributed: (row) => rows.isAttributable(row) || (trustsReportedVariation && !hasExposures),
    hasExposures: () => hasExposures,
    evaluations
  }
}

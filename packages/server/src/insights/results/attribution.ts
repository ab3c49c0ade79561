import type { EventRecord, ExposureRecord, TrackedEventRecord } from '../../storage/events/eventStore.ts'
import { createUserRowIndex } from './userRowIndex.ts'
import { NO_ROW, UserVariationTable } from './userVariationTable.ts'

/** Which events count, and of what. */
export interface AttributionRules {
  /** Ids of the variations that are compared. */
  readonly variations: readonly string[]
  /** Only events with a value count, where values are what is compared. */
  readonly requiresValue: boolean
  /** Only events count that came after the variation. */
  readonly requiresPriorExposure: boolean
  /** What an event says of the variation is enough, if its user is known to have got any; otherwise, they must have got that one. */
  readonly trustsReportedVariation: boolean
}

/** Events whose value is beyond it do not count: no sum of what is left, nor of its squares, leaves what numbers can hold. */
const LARGEST_VALUE = 1e15

type UserRef = Pick<ExposureRecord, 'environment' | 'user_id'>

/** What users did who got the variations. */
export interface Attribution {
  readonly add: (occurrence: EventRecord) => void
  /** A row for each user and variation; the variation is its place in the list. */
  readonly rows: () => UserVariationTable
  /** Whether what the user of a row did counts for its variation, by what is known at this moment. */
  readonly isAttributed: (row: number) => boolean
  /** Whether anybody is known to have got a variation. Until then the word of events is all there is, as of SDKs that report sums. */
  readonly hasExposures: () => boolean
  /** How often each variation was served. */
  readonly evaluations: Float64Array
}

/**
 * Takes what happened in order, and finds for each event the variation that it counts for: the one that it says itself, else
 * the one that the user had got last, else the first that they get after it. Users of two environments are two.
 */
export function createAttribution({
  variations,
  requiresValue,
  requiresPriorExposure,
  trustsReportedVariation
}: AttributionRules): Attribution {
  const places = new Map(variations.map((id, place) => [id, place]))
  // A variation that is gone since is told apart from those that are there, and from none.
  const placeOf = (id: string) => places.get(id) ?? variations.length
  const pending = variations.length + 1
  const evaluations = new Float64Array(variations.length + 1)
  let [firstRows, rows] = [createUserRowIndex(), new UserVariationTable()]
  let isAnybodyKnown = false

  /** The row of a user for a variation, made where there is none. */
  const rowOf = (first: number | undefined, { environment, user_id }: UserRef, place: number): number => {
    if (first !== undefined) return rows.find(first, place) ?? rows.addTo(first, place)
    const row = rows.add(place)
    firstRows.set(environment, user_id, row)
    return row
  }

  const got = (exposure: ExposureRecord): void => {
    // What came before the first variation that anybody got came before that of its own user, too.
    if (requiresPriorExposure && !isAnybodyKnown) [firstRows, rows] = [createUserRowIndex(), new UserVariationTable()]
    isAnybodyKnown = true
    const place = placeOf(exposure.variation)
    const first = firstRows.get(exposure.environment, exposure.user_id)
    const waiting = first === undefined ? undefined : rows.find(first, pending)
    if (first !== undefined && waiting !== undefined) rows.reassign(first, waiting, place)
    const row = rowOf(first, exposure, place)
    rows.markExposed(row)
    rows.setLatest(first ?? row, row)
    if (trustsReportedVariation) rows.markAllReported(first ?? row)
  }

  const did = (event: TrackedEventRecord): void => {
    const value = requiresValue ? event.value : 0
    if (value === undefined || Math.abs(value) > LARGEST_VALUE) return
    const first = firstRows.get(event.environment, event.user_id)
    // A variation that is gone or that never was says nothing.
    const told = event.variation === undefined ? undefined : places.get(event.variation)
    const latest = first === undefined ? NO_ROW : rows.latest(first)
    const isKnown = latest !== NO_ROW
    if (requiresPriorExposure && !isKnown && (isAnybodyKnown || told === undefined)) return
    const row = isKnown && told === undefined ? latest : rowOf(first, event, told ?? pending)
    if (isKnown && trustsReportedVariation) rows.markReported(row)
    rows.addValue(row, value)
  }

  const add = (occurrence: EventRecord): void => {
    if (occurrence.type === 'exposure') got(occurrence)
    else if (occurrence.type === 'event') did(occurrence)
    else {
      const place = placeOf(occurrence.variation)
      evaluations[place] = (evaluations[place] ?? 0) + occurrence.count
    }
  }

  return {
    add,
    rows: () => rows,
    isAttributed: (row) => rows.isAttributable(row) || (trustsReportedVariation && !isAnybodyKnown),
    hasExposures: () => isAnybodyKnown,
    evaluations
  }
}

import type { Occurrence, UserDidSomething, UserGotVariation } from '../eventStore/eventStore.ts'
import { createFirstRows } from './firstRows.ts'
import { NO_ROW, Rows } from './rows.ts'

/** Which events count, and of what. */
export interface Counting {
  /** Ids of the variations that are compared. */
  readonly variations: readonly string[]
  /** Only events with a value count, where values are what is compared. */
  readonly needsValue: boolean
  /** Only events count that came after the variation. */
  readonly onlyAfter: boolean
  /** What an event says of the variation is enough, if its user is known to have got any; otherwise, they must have got that one. */
  readonly takesWord: boolean
}

/** Events whose value is beyond it do not count: no sum of what is left, nor of its squares, leaves what numbers can hold. */
const LARGEST_VALUE = 1e15

type Whose = Pick<UserGotVariation, 'environment' | 'user_id'>

/** What users did who got the variations. */
export interface Outcomes {
  readonly note: (occurrence: Occurrence) => void
  /** A row for each user and variation; the variation is its place in the list. */
  readonly rows: () => Rows
  /** Whether what the user of a row did counts for its variation, by what is known at this moment. */
  readonly isCounted: (row: number) => boolean
  /** Whether anybody is known to have got a variation. Until then the word of events is all there is, as of SDKs that report sums. */
  readonly isAnybodyKnown: () => boolean
  /** How often each variation was served. */
  readonly evaluations: Float64Array
}

/**
 * Takes what happened in order, and finds for each event the variation that it counts for: the one that it says itself, else
 * the one that the user had got last, else the first that they get after it. Users of two environments are two.
 */
export function createOutcomes({ variations, needsValue, onlyAfter, takesWord }: Counting): Outcomes {
  const places = new Map(variations.map((id, place) => [id, place]))
  // A variation that is gone since is told apart from those that are there, and from none.
  const placeOf = (id: string) => places.get(id) ?? variations.length
  const pending = variations.length + 1
  const evaluations = new Float64Array(variations.length + 1)
  let [firstRows, rows] = [createFirstRows(), new Rows()]
  let isAnybodyKnown = false

  /** The row of a user for a variation, made where there is none. */
  const rowOf = (first: number | undefined, { environment, user_id }: Whose, place: number): number => {
    if (first !== undefined) return rows.find(first, place) ?? rows.addTo(first, place)
    const row = rows.add(place)
    firstRows.set(environment, user_id, row)
    return row
  }

  const got = (exposure: UserGotVariation): void => {
    // What came before the first variation that anybody got came before that of its own user, too.
    if (onlyAfter && !isAnybodyKnown) [firstRows, rows] = [createFirstRows(), new Rows()]
    isAnybodyKnown = true
    const place = placeOf(exposure.variation)
    const first = firstRows.get(exposure.environment, exposure.user_id)
    const waiting = first === undefined ? undefined : rows.find(first, pending)
    if (first !== undefined && waiting !== undefined) rows.rename(first, waiting, place)
    const row = rowOf(first, exposure, place)
    rows.setGot(row)
    rows.setLatest(first ?? row, row)
    if (takesWord) rows.setAllTold(first ?? row)
  }

  const did = (event: UserDidSomething): void => {
    const value = needsValue ? event.value : 0
    if (value === undefined || Math.abs(value) > LARGEST_VALUE) return
    const first = firstRows.get(event.environment, event.user_id)
    // A variation that is gone or that never was says nothing.
    const told = event.variation === undefined ? undefined : places.get(event.variation)
    const latest = first === undefined ? NO_ROW : rows.latest(first)
    const isKnown = latest !== NO_ROW
    if (onlyAfter && !isKnown && (isAnybodyKnown || told === undefined)) return
    const row = isKnown && told === undefined ? latest : rowOf(first, event, told ?? pending)
    if (isKnown && takesWord) rows.setTold(row)
    rows.addValue(row, value)
  }

  const note = (occurrence: Occurrence): void => {
    if (occurrence.type === 'exposure') got(occurrence)
    else if (occurrence.type === 'event') did(occurrence)
    else {
      const place = placeOf(occurrence.variation)
      evaluations[place] = (evaluations[place] ?? 0) + occurrence.count
    }
  }

  return {
    note,
    rows: () => rows,
    isCounted: (row) => rows.isKnown(row) || (takesWord && !isAnybodyKnown),
    isAnybodyKnown: () => isAnybodyKnown,
    evaluations
  }
}

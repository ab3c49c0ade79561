import type { MetricDimension } from '@burgee/contract'
import { breathe } from '../breathe.ts'
import { DAY } from '../duration.ts'
import type { EventStore, OccurrencesQuery } from '../eventStore/eventStore.ts'
import { bucketsOf } from './buckets.ts'
import { dimensions, type Figures } from './dimensions.ts'
import { createOutcomes } from './outcomes.ts'
import { type Spread, spreadsOf, withoutUsers } from './spread.ts'

/** What is measured: a metric's dimension, of the variations of a feature. */
export interface MeasureQuery extends OccurrencesQuery {
  readonly dimension: MetricDimension
  /** Ids. */
  readonly variations: readonly string[]
}

/** How the variations fared until the end of a day. */
export interface Look {
  /** The start of the day. */
  readonly date: string
  /** In the order of the query's variations. */
  readonly variations: readonly VariationLook[]
}

/** How one of them fared. */
export interface VariationLook extends Figures {
  /** How many users got it. */
  readonly users: number
}

/** Goes through what happened once, and looks at the end of each day that the range touches, and so at its own end. */
export async function measure(
  eventStore: Pick<EventStore, 'occurrences'>,
  query: MeasureQuery
): Promise<readonly Look[]> {
  const days = bucketsOf(query.range, 'day')
  const ends = days.map((day) => Date.parse(day) + DAY)
  const { figures, ...counted } = dimensions[query.dimension]
  const outcomes = createOutcomes({ ...counted, variations: query.variations })
  const looks: Seen[] = []
  let latest: Promise<readonly Spread[]> | undefined
  const look = async (): Promise<void> => {
    query.goOn?.()
    latest ??= spreadsOf(outcomes, query.variations.length)
    looks.push({ date: days[looks.length] ?? '', spreads: await latest, isAnybodyKnown: outcomes.isAnybodyKnown() })
  }
  let read = 0
  for await (const occurrence of eventStore.occurrences(query)) {
    if (read++ % READ_AT_ONCE === 0) {
      await breathe()
      query.goOn?.()
    }
    // The last day ends with the range, whatever clocks say.
    while (looks.length < days.length - 1 && occurrence.at >= (ends[looks.length] ?? 0)) await look()
    outcomes.note(occurrence)
    latest = undefined
  }
  while (looks.length < days.length) await look()
  return looks.map(({ date, spreads, isAnybodyKnown }) => {
    // Words that were all there was at first are not, once somebody is known.
    const counted = isAnybodyKnown === outcomes.isAnybodyKnown() ? spreads : spreads.map(withoutUsers)
    return { date, variations: counted.map((spread) => ({ ...figures(spread), users: spread.users })) }
  })
}

/** What there is at the end of a day. */
interface Seen {
  readonly date: string
  readonly spreads: readonly Spread[]
  readonly isAnybodyKnown: boolean
}

/** A millisecond's worth. */
const READ_AT_ONCE = 4096

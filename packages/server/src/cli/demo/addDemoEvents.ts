import { DAY, HOUR } from '../../lib/time.ts'
import type { EvaluationCount, EventEntry } from '../../storage/events/eventEntry.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import { demoExperiment, demoMetric } from './demoProject.ts'

const DAYS = 13
const USERS_PER_HOUR = 14
/** The share of users who purchase, by the position of their variation. */
const RATES = [0.11, 0.145]

/** How often visitors evaluate a feature, relative to the experiment, and the share that gets its first variation. */
const TRAFFIC: Readonly<Record<string, { readonly factor: number; readonly share: number }>> = {
  [demoExperiment]: { factor: 1.6, share: 0.5 },
  'new-checkout': { factor: 31, share: 0.38 },
  'shop-layout': { factor: 24, share: 0.61 },
  'search-suggestions': { factor: 18, share: 0.75 },
  'winter-banner': { factor: 12, share: 0 }
}

interface DemoTraffic {
  /** The features of the project. */
  readonly features: readonly StoredFeature[]
  readonly production: StoredEnvironment
  readonly now: number
}

/**
 * Adds two weeks of visitors, who evaluate features. They are evenly divided between the variations of the experiment,
 * and some of them purchase.
 */
export async function addDemoEvents(events: EventStore, { features, production, now }: DemoTraffic): Promise<void> {
  const experiment = features.find(({ key }) => key === demoExperiment)
  if (!experiment) return
  const first = Math.floor((now - DAYS * DAY) / HOUR) * HOUR
  for (let at = first; at < now - HOUR; at += HOUR) {
    const counts = features.flatMap((feature) => countsOfHour(at, feature))
    await events.append({ ...entryOfHour(at, { experiment, environment: production._id }), counts })
  }
}

/** The evaluations of a feature with one variable, whose key is the key of the feature. */
function countsOfHour(at: number, { _id, key, variations }: StoredFeature): EvaluationCount[] {
  const traffic = TRAFFIC[key]
  if (!traffic) return []
  const { factor, share } = traffic
  const total = factor * USERS_PER_HOUR * busyness(at) * (0.9 + 0.2 * spread(at / HOUR + factor))
  return variations.slice(0, 2).flatMap((variation, position) => {
    const count = Math.round(total * (position === 0 ? share : 1 - share))
    if (count === 0) return []
    return [{ variable: key, feature: _id, variation: variation._id, platform: 'web', sdkType: 'client', count }]
  })
}

function entryOfHour(
  at: number,
  { experiment, environment }: { readonly experiment: StoredFeature; readonly environment: string }
): Omit<EventEntry, 'counts'> {
  const hour = at / HOUR
  const random = (user: number, salt: number) => spread((hour % 1e6) * 1000 + user * 7 + salt)
  const users = Array.from({ length: Math.round(USERS_PER_HOUR * busyness(at)) }, (_, user) => {
    const position = random(user, 1) < 0.5 ? 0 : 1
    const [control, other] = experiment.variations
    const variation = (position === 0 ? control : other)?._id ?? ''
    return { id: `visitor-${hour}-${user}`, variation, purchases: random(user, 2) < (RATES[position] ?? 0) }
  })
  return {
    environment,
    at,
    exposures: users.map(({ id, variation }) => ({
      user_id: id,
      feature: experiment._id,
      variation,
      sdkType: 'client',
      platform: 'web',
      count: 1
    })),
    reports: users
      .filter(({ purchases }) => purchases)
      .map(({ id, variation }) => ({
        user: { user_id: id, platform: 'web', sdkType: 'client' },
        events: [
          {
            type: 'customEvent',
            customType: demoMetric.event,
            date: at + HOUR / 2,
            featureVars: { [experiment._id]: variation }
          }
        ]
      }))
  }
}

/** More visitors in the evening than at night, as a factor around 1. */
function busyness(at: number): number {
  return 1 + 0.6 * Math.sin(((at % DAY) / DAY) * 2 * Math.PI - 2)
}

/** A number from 0 to 1 that looks random and is the same at each start. */
function spread(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0) / 2 ** 32
}

import { DAY, HOUR } from '../../lib/time.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import { demoExperiment, demoMetric } from './demoProject.ts'

const DAYS = 13
const USERS_PER_HOUR = 14
/** The share of users who purchase, by the position of their variation. */
const RATES = [0.11, 0.145]

interface Subject {
  readonly experiment: StoredFeature
  readonly production: StoredEnvironment
  readonly now: number
}

/** Adds two weeks of visitors, evenly divided between the variations; some of them purchase. */
export async function addDemoEvents(events: EventStore, { experiment, production, now }: Subject): Promise<void> {
  const first = Math.floor((now - DAYS * DAY) / HOUR) * HOUR
  for (let at = first; at < now - HOUR; at += HOUR) {
    await events.append(entryOfHour(at, { experiment, environment: production._id }))
  }
}

function entryOfHour(
  at: number,
  { experiment, environment }: { readonly experiment: StoredFeature; readonly environment: string }
): EventEntry {
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
    counts: experiment.variations.map(({ _id }) => ({
      variable: demoExperiment,
      feature: experiment._id,
      variation: _id,
      platform: 'web',
      sdkType: 'client',
      count: users.filter(({ variation }) => variation === _id).length
    })),
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

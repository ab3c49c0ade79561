import { seeded } from './random.mjs'

const COUNTRIES = ['CA', 'DE', 'FR', 'GB', 'US']
const PLANS = ['pro', 'pro', 'pro', 'pro', 'free']

/** The users that every workload asks about, the same ones in every process. */
export function makeUsers(count = 10_000) {
  const random = seeded(1)
  const users = Array.from({ length: count }, () => ({
    user_id: `user_${random.text(9)}`,
    email: `${random.text(6)}@${random.one(['example.com', 'example.org'])}`,
    country: random.one(COUNTRIES),
    appVersion: `${random.below(6)}.${random.below(20)}.${random.below(10)}`,
    customData: { plan: random.one(PLANS), age: 18 + random.below(60), cohort: random.below(100) }
  }))
  // Through JSON and back, so that their texts are separate strings, as those of a request are.
  return JSON.parse(JSON.stringify(users))
}

/** All the countries users come from. */
export const countries = COUNTRIES

import { seeded } from '../lib/random.mjs'

const COUNTRIES = ['CA', 'DE', 'FR', 'GB', 'US']
const PLANS = ['pro', 'pro', 'pro', 'pro', 'free']

/** Returns the users of all workloads, the same in every process. */
export function makeUsers(count = 10_000) {
  const random = seeded(1)
  const users = Array.from({ length: count }, () => ({
    user_id: `user_${random.text(9)}`,
    email: `${random.text(6)}@${random.one(['example.com', 'example.org'])}`,
    country: random.one(COUNTRIES),
    appVersion: `${random.below(6)}.${random.below(20)}.${random.below(10)}`,
    customData: { plan: random.one(PLANS), age: 18 + random.below(60), cohort: random.below(100) }
  }))
  // Serialized and parsed, so that strings are separate objects, as those of a request are.
  return JSON.parse(JSON.stringify(users))
}

/** The countries of the users. */
export const countries = COUNTRIES

// The options of `npm run chaos`, which scripts/tests/chaos.mjs passes on. No other file reads these variables.

/** Returns the number of rounds: as given, or this default. */
export function roundsOr(count: number): number {
  return process.env.CHAOS_ROUNDS ? Number(process.env.CHAOS_ROUNDS) : count
}

/** The kinds of stores that are tested. */
export const stores = (process.env.CHAOS_STORES ?? 'file,postgres').split(',')

/** The number of workers of each server. */
export const workers = process.env.CHAOS_WORKERS ?? '1'

/** The seed of pauses and choices. */
export const chaosSeed = Number(process.env.CHAOS_SEED ?? 1)

/** The duration of a scenario without rounds, in minutes: as given, or this default. */
export function minutesOr(count: number): number {
  return process.env.CHAOS_MINUTES ? Number(process.env.CHAOS_MINUTES) : count
}

/** Until when new rounds begin, in milliseconds since 1970. */
export const endsAt = process.env.CHAOS_MINUTES
  ? Date.now() + Number(process.env.CHAOS_MINUTES) * 60_000
  : Number.POSITIVE_INFINITY

import { invalid } from '../errors.ts'
import type { StoredAudience } from '../store/resources.ts'
import { audiencesIn } from './references.ts'

/** Refuses an audience that leads back to itself, directly or through others. @throws {ApiError} 400 with the keys on the way. */
export function demandNoCycle(audience: StoredAudience, others: readonly StoredAudience[]): void {
  const cycle = cycleThrough(audience, others)
  if (!cycle) return
  const keys = cycle.map(({ key }) => key).join(' → ')
  throw invalid(`filters should not lead back to the audience itself, got ${keys}`, 'invalid_body')
}

/** The shortest way from an audience back to it. */
function cycleThrough(audience: StoredAudience, others: readonly StoredAudience[]): StoredAudience[] | undefined {
  const byId = new Map(others.map((other) => [other._id, other]))
  const referrers = new Map<string, StoredAudience>()
  const reached = [audience]
  // The list grows as it is walked through: the nearest audiences come first.
  for (const current of reached) {
    for (const id of audiencesIn(current.filters)) {
      if (id === audience._id) return [...wayTo(current, referrers), audience]
      const next = byId.get(id)
      if (!next || referrers.has(id)) continue
      referrers.set(id, current)
      reached.push(next)
    }
  }
  return undefined
}

function wayTo(end: StoredAudience, referrers: ReadonlyMap<string, StoredAudience>): StoredAudience[] {
  const way: StoredAudience[] = []
  for (let step: StoredAudience | undefined = end; step; step = referrers.get(step._id)) way.push(step)
  return way.reverse()
}

import { badRequest } from '../../lib/errors.ts'
import type { StoredAudience } from '../../storage/resources/project.ts'
import { audienceReferences } from './audienceReferences.ts'

/**
 * Asserts that an audience does not refer to itself, directly or through others.
 * @throws {HttpError} 400 with the cycle.
 */
export function assertNoCycle(audience: StoredAudience, others: readonly StoredAudience[]): void {
  const cycle = findCycle(audience, others)
  if (!cycle) return
  const keys = cycle.map(({ key }) => key).join(' → ')
  throw badRequest(`filters should not refer back to the audience itself, got ${keys}`)
}

/** Finds the shortest cycle through an audience. */
function findCycle(audience: StoredAudience, others: readonly StoredAudience[]): StoredAudience[] | undefined {
  const byId = new Map(others.map((other) => [other._id, other]))
  const referrers = new Map<string, StoredAudience>()
  const reached = [audience]
  // The list grows during the iteration, which makes this a breadth-first search.
  for (const current of reached) {
    for (const id of audienceReferences(current.filters)) {
      if (id === audience._id) return [...pathTo(current, referrers), audience]
      const next = byId.get(id)
      if (!next || referrers.has(id)) continue
      referrers.set(id, current)
      reached.push(next)
    }
  }
  return undefined
}

function pathTo(end: StoredAudience, referrers: ReadonlyMap<string, StoredAudience>): StoredAudience[] {
  const way: StoredAudience[] = []
  for (let step: StoredAudience | undefined = end; step; step = referrers.get(step._id)) way.push(step)
  return way.reverse()
}

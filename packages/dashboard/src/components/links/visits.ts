import type { RouterHistory } from '@tanstack/react-router'

const counters = new WeakMap<RouterHistory, () => number>()

/**
 * Counts how often the person opens another page. A change of the search parameters stays on the page, and so does a
 * replaced address, which nobody asked for.
 */
export function countVisits(history: RouterHistory): () => number {
  const known = counters.get(history)
  if (known) return known
  let visits = 0
  let { pathname } = history.location
  history.subscribe(({ location, action }) => {
    if (action.type !== 'REPLACE' && location.pathname !== pathname) visits += 1
    pathname = location.pathname
  })
  const count = () => visits
  counters.set(history, count)
  return count
}

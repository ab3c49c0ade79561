import { revisionOf } from '@burgee/contract/client'
import {
  hashKey,
  type Query,
  QueryCache,
  type QueryClient,
  type QueryFilters,
  replaceEqualDeep
} from '@tanstack/react-query'

/** The longest time that a notice about a write waits for the page to show it. */
const MAX_WAIT_MS = 1000

/** Queries that were being fetched when the project changed. Their responses may be stale. */
const outdated = new WeakSet<object>()

/** A cache that repeats the fetches which a change overtook. */
export function createQueryCache(): QueryCache {
  return new QueryCache({
    onSettled: (_data, _error, query) => {
      if (!outdated.delete(query)) return
      query.invalidate()
      if (query.isActive()) query.fetch().catch(noop)
    }
  })
}

let newest: Promise<unknown> = Promise.resolve()

/**
 * Fetches again after a write of this page. Fetches that are under way start anew, because their responses may be older
 * than the write. Resolves when the page has the new data.
 */
export function refetchAfterWrite(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const pending = findPending(client, filters)
  for (const query of pending) {
    outdated.delete(query)
    void query.cancel(isWanted(query) ? { silent: true } : { revert: true })
  }
  const active = client.invalidateQueries(filters)
  // Nobody may look at these now, but a loader or a save can wait for their data.
  const others = pending
    .filter((query) => !query.isActive() && isWanted(query))
    .map((query) => query.fetch().catch(noop))
  newest = Promise.all([active, ...others])
  return newest.then(noop)
}

/**
 * Fetches again after a change by others. Fetches that are under way end first, and are repeated then: changes that
 * follow each other quickly neither delay the page nor multiply its requests.
 */
export function refetchAfterChange(client: QueryClient, filters: QueryFilters = {}): void {
  for (const query of findPending(client, filters)) outdated.add(query)
  void client.invalidateQueries(filters, { cancelRefetch: false })
}

/** Resolves when the page shows the last write, or after a moment if that takes long. */
export function whenRefetched(): Promise<unknown> {
  return Promise.race([newest, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
}

/** Puts the response of a write in the place of what was read of the same resource. `reads` are operations with that response. */
export function adoptResponse(
  client: QueryClient,
  {
    reads,
    request,
    response
  }: { readonly reads: readonly string[]; readonly request: unknown; readonly response: unknown }
): void {
  for (const read of reads) {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: [read] })) {
      if (state.data !== undefined && isSameResource(state.data, response, [queryKey[1], request]))
        client.setQueryData(queryKey, response)
    }
  }
}

/** Resources without an id are named by the parameters of their requests. */
function isSameResource(read: unknown, written: unknown, requests: readonly unknown[]): boolean {
  const [one, other] = [read, written].map((resource) => (resource as { readonly _id?: string } | null)?._id)
  if (one !== undefined || other !== undefined) return one === other
  const [params, writtenParams] = requests.map((request) => (request as { readonly params?: unknown }).params ?? {})
  return hashKey([params]) === hashKey([writtenParams])
}

/** Keeps an equal response, so that nothing renders again. A response has its revision beside its members. */
export function keepEqual(before: unknown, next: unknown): unknown {
  const isEqual = replaceEqualDeep(before, next) === before && revisionIn(before) === revisionIn(next)
  return isEqual ? before : next
}

function revisionIn(response: unknown): string | undefined {
  return typeof response === 'object' && response !== null ? revisionOf(response) : undefined
}

/** Whether a response is still needed: not if all pages that have the query disabled it. */
function isWanted(query: Query): boolean {
  return query.isActive() || query.getObserversCount() === 0
}

function findPending(client: QueryClient, filters: QueryFilters): readonly Query[] {
  return client
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.fetchStatus !== 'idle')
}

function noop(): void {}

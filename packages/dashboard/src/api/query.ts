import { readsOf } from 'virtual:operations'
import type { Client } from '@burgee/contract/client'
import { ApiError, listPage, type Page, revisionOf } from '@burgee/contract/client'
import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useQuery,
  useQueryClient
} from '@tanstack/react-query'
import { api } from './client.ts'
import { adoptResponse, createQueryCache, keepEqual, refetchAfterWrite } from './refetch.ts'
import { useSingleFlight } from './useSingleFlight.ts'

export { issueAt } from './issues.ts'

/** The id of an operation of the API. */
export type OperationId = keyof Client
export type Request<I extends OperationId> = Parameters<Client[I]>[0]
export type Output<I extends OperationId> = Awaited<ReturnType<Client[I]>>

// A union of methods takes no argument that fits one of them only.
type Method<I extends OperationId> = (request: Request<I>) => Promise<Output<I>>

/** A request to which no response arrived; `cause` is the browser's error. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly operation: OperationId

  constructor(operation: OperationId, cause: unknown) {
    super(`${operation} got no response`, { cause })
    this.operation = operation
  }
}

/**
 * Calls an operation once.
 * @throws {ApiError} The server refused it.
 * @throws {NoResponse} No response arrived.
 */
export async function call<I extends OperationId>(id: I, request: Request<I>): Promise<Output<I>> {
  try {
    return await (api[id] as Method<I>)(request)
  } catch (error) {
    throw error instanceof ApiError ? error : new NoResponse(id, error)
  }
}

/** A read for TanStack Query. Its key is the operation's id and the request. */
export function read<I extends OperationId>(id: I, request: Request<I>) {
  return queryOptions({ queryKey: [id, request] as const, queryFn: () => call(id, request) })
}

interface ReadOptions<Data> {
  readonly enabled?: boolean
  /** After how many milliseconds the data is read again; never by default. */
  readonly refetchInterval?: (data: Data | undefined) => number | false
}

/** The cached response of a read, and its state. */
export function useRead<I extends OperationId>(
  id: I,
  request: Request<I>,
  { enabled = true, refetchInterval = () => false }: ReadOptions<Output<I>> = {}
): UseQueryResult<Output<I>> {
  return useQuery({ ...read(id, request), enabled, refetchInterval: ({ state }) => refetchInterval(state.data) })
}

type Item<I extends OperationId> = Output<I> extends readonly (infer T)[] ? T : never

/** A page of a list, with the number of items on all pages. The previous page stays while the next one loads. */
export function useReadPage<I extends OperationId>(id: I, request: Request<I>): UseQueryResult<Page<Item<I>>> {
  // The responses of lists are arrays of their items.
  const list = (wanted: Request<I>) => call(id, wanted) as Promise<unknown> as Promise<readonly Item<I>[]>
  return useQuery({
    queryKey: [id, request, 'page'],
    queryFn: () => listPage(list, request),
    placeholderData: keepPreviousData
  })
}

/**
 * A write. Its response replaces what was read of the resource. Then the reads of the named operations are requested again;
 * without names, all of them.
 */
export function useWrite<I extends OperationId>(
  id: I,
  refreshes?: readonly OperationId[]
): UseMutationResult<Output<I>, Error, Request<I>> {
  const client = useQueryClient()
  return useSingleFlight({
    mutationFn: (request: Request<I>) => call(id, request),
    // Not awaited: what follows a write must not be lost when the reads replace the component that sent it.
    onSuccess: (response, request) => {
      adoptResponse(client, { reads: readsOf[id] ?? [], request, response })
      const isNamed = ({ queryKey }: Query) => refreshes?.some((operation) => operation === queryKey[0]) ?? true
      void refetchAfterWrite(client, { predicate: isNamed })
    }
  })
}

/**
 * Reads a resource after a write was refused because the resource had changed: neither from the cache nor by a request
 * that may have been sent before.
 */
export function readNewest<I extends OperationId>(client: QueryClient, id: I, request: Request<I>): Promise<Output<I>> {
  const options = read(id, request)
  void client.cancelQueries({ queryKey: options.queryKey, exact: true }, { silent: true, revert: false })
  return client.fetchQuery({ ...options, staleTime: 0 })
}

/** Whether a retry can succeed: not if the server rejected the request. */
function isTemporary(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500
}

export const queryClient = new QueryClient({
  queryCache: createQueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      // The default would replace the response object, to which its revision is attached.
      structuralSharing: keepEqual,
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => isTemporary(error) && failures < 3,
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfter
          ? error.retryAfter * 1000
          : Math.min(1000 * 2 ** failures, 15_000),
      networkMode: 'always'
    },
    mutations: { retry: false, networkMode: 'always' }
  }
})

/** The header by which a write fails if the resource has changed since it was read. */
export function ifMatch(resource: object): { readonly 'if-match'?: string } {
  return ifMatchRevision(revisionOf(resource))
}

/** The same for a revision that is known by itself, such as that of a draft. */
export function ifMatchRevision(revision: string | undefined): { readonly 'if-match'?: string } {
  return revision ? { 'if-match': revision } : {}
}

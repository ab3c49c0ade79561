import type { Client } from '@burgee/contract/client'
import { ApiError } from '@burgee/contract/client'
import {
  MutationCache,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient
} from '@tanstack/react-query'
import { api } from './client.ts'

/** The id of an operation of the API. */
export type OperationId = keyof Client
export type Request<I extends OperationId> = Parameters<Client[I]>[0]
export type Answer<I extends OperationId> = Awaited<ReturnType<Client[I]>>

// A union of methods takes no argument that fits one of them only.
type Method<I extends OperationId> = (request: Request<I>) => Promise<Answer<I>>

/** Calls an operation once. */
export function call<I extends OperationId>(id: I, request: Request<I>): Promise<Answer<I>> {
  return (api[id] as Method<I>)(request)
}

/** A read for TanStack Query. Its key is the operation's id and the request. */
export function read<I extends OperationId>(id: I, request: Request<I>) {
  return queryOptions({ queryKey: [id, request] as const, queryFn: () => call(id, request) })
}

/** The cached answer of a read, and its state. */
export function useRead<I extends OperationId>(
  id: I,
  request: Request<I>,
  options: { readonly enabled?: boolean } = {}
): UseQueryResult<Answer<I>> {
  return useQuery({ ...read(id, request), ...options })
}

/** A write. Afterwards the reads of the named operations are requested again; without names, all of them. */
export function useWrite<I extends OperationId>(
  id: I,
  refreshes?: readonly OperationId[]
): UseMutationResult<Answer<I>, Error, Request<I>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (request: Request<I>) => call(id, request),
    onSuccess: () =>
      refreshes
        ? Promise.all(refreshes.map((operation) => client.invalidateQueries({ queryKey: [operation] })))
        : client.invalidateQueries()
  })
}

/** Whether another attempt can succeed: not for answers that name a mistake. */
function isTemporary(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500
}

export const queryClient = new QueryClient({
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      // Revisions and totals belong to the object of an answer, which therefore stays as it came.
      structuralSharing: false,
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

/** The problem that an error answer names at a member of the body, by its path joined with dots. */
export function issueAt(error: Error | null, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.issues.find((issue) => issue.in === 'body' && issue.path.join('.') === path)?.message
}

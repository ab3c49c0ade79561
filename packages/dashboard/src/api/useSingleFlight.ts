import {
  hashKey,
  type MutateOptions,
  type MutationFunctionContext,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient
} from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that ignores a call with the same variables while one is under way: a double click or a held key sends one
 * request. Disabling the button is too late, because it renders after the second click. The callbacks of a call run even
 * if the component is removed before the response, for example because its dialog is closed.
 */
export function useSingleFlight<Data, Variables = void>({
  mutationFn,
  ...options
}: Omit<UseMutationOptions<Data, Error, Variables>, 'mutationFn'> & {
  readonly mutationFn: (variables: Variables) => Promise<Data>
}): UseMutationResult<Data, Error, Variables> {
  const context = { client: useQueryClient(), meta: options.meta }
  const inFlight = useRef(new Set<string>())
  const mutation = useMutation<Data, Error, Variables>({
    ...options,
    mutationFn: (variables) => mutationFn(variables).finally(() => inFlight.current.delete(hashKey([variables])))
  })
  const mutate: typeof mutation.mutate = (...call) => {
    // The tuple types of react-query let callers omit `void` variables.
    const [variables, callbacks = {}] = call as [Variables, Callbacks<Data, Variables>?]
    const key = hashKey([variables])
    if (inFlight.current.has(key)) return
    inFlight.current.add(key)
    // React Query drops callbacks passed to `mutate` when the component is removed, although the write succeeds.
    const response = mutation.mutateAsync(...([variables] as typeof call))
    void settle(response, callbacks, [variables, undefined, context])
  }
  return { ...mutation, mutate }
}

type Callbacks<Data, Variables> = Pick<MutateOptions<Data, Error, Variables>, 'onSuccess' | 'onError' | 'onSettled'>

/** Calls the callbacks of a mutation when it has settled. */
async function settle<Data, Variables>(
  response: Promise<Data>,
  { onSuccess, onError, onSettled }: Callbacks<Data, Variables>,
  details: readonly [variables: Variables, onMutateResult: undefined, context: MutationFunctionContext]
): Promise<void> {
  const [data, error] = await response.then(
    (found) => [found, null] as const,
    (cause: Error) => [undefined, cause] as const
  )
  if (error === null) onSuccess?.(data, ...details)
  else onError?.(error, ...details)
  onSettled?.(data, error, ...details)
}

import { hashKey, type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that ignores a call with the same variables while one is under way: a double click or a held key sends one
 * request. Disabling the button is too late, because it renders after the second click.
 */
export function useSingleFlight<Data, Variables = void>({
  mutationFn,
  ...options
}: Omit<UseMutationOptions<Data, Error, Variables>, 'mutationFn'> & {
  readonly mutationFn: (variables: Variables) => Promise<Data>
}): UseMutationResult<Data, Error, Variables> {
  const inFlight = useRef(new Set<string>())
  const mutation = useMutation<Data, Error, Variables>({
    ...options,
    mutationFn: (variables) => mutationFn(variables).finally(() => inFlight.current.delete(hashKey([variables])))
  })
  const mutate: typeof mutation.mutate = (...call) => {
    const key = hashKey([call[0]])
    if (inFlight.current.has(key)) return
    inFlight.current.add(key)
    mutation.mutate(...call)
  }
  return { ...mutation, mutate }
}

import { useRouter } from '@tanstack/react-router'

/** Keys of resources, by the parameters of the routes that have them. */
type Keys = Readonly<Record<string, string>>

/**
 * Returns a function for what follows a change of keys. It replaces them in the address, on whichever page of the
 * resource the person is by then.
 */
export function useFollowKeys(): (before: Keys, after: Keys) => void {
  const router = useRouter()
  return (before, after) => {
    // The latest location is that of a navigation under way.
    const [, params] = router.getMatchedRoutes(router.latestLocation.pathname)
    if (Object.entries(before).some(([param, key]) => params[param] !== key)) return
    void router.navigate({
      to: '.',
      params: ((previous: object) => ({ ...previous, ...after })) as never,
      search: true,
      hash: true,
      replace: true,
      resetScroll: false,
      ignoreBlocker: true
    })
  }
}

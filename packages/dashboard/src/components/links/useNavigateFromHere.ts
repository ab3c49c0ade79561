import { useNavigate, useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { countVisits } from './visits.ts'

/**
 * Returns a `navigate` for use after a write. It does nothing if the user has opened another page since the render in
 * which the write began, even if they came back.
 */
export function useNavigateFromHere(): ReturnType<typeof useNavigate> {
  const { history } = useRouter()
  const navigate = useNavigate()
  const visits = countVisits(history)
  const visit = useSyncExternalStore(history.subscribe, visits)
  const navigateFromHere = async (options: Parameters<typeof navigate>[0]) => {
    if (visits() === visit) await navigate(options)
  }
  // The options are passed on unchanged, so the type of `navigate` applies.
  return navigateFromHere as typeof navigate
}

import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'

/**
 * Returns a `navigate` for use after a write. It does nothing if the user has opened another page since the render in
 * which the write began.
 */
export function useNavigateFromHere(): ReturnType<typeof useNavigate> {
  const router = useRouter()
  const navigate = useNavigate()
  const here = useLocation({ select: ({ pathname }) => pathname })
  const navigateFromHere = async (options: Parameters<typeof navigate>[0]) => {
    // `latestLocation` includes a navigation in progress.
    if (router.latestLocation.pathname === here) await navigate(options)
  }
  // The options are passed on unchanged, so the type of `navigate` applies.
  return navigateFromHere as typeof navigate
}

import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'

/**
 * Returns a `navigate` for what follows a write. It does nothing once the person has opened another page than that of
 * the render in which the write began.
 */
export function useNavigateFromHere(): ReturnType<typeof useNavigate> {
  const router = useRouter()
  const navigate = useNavigate()
  const here = useLocation({ select: ({ pathname }) => pathname })
  const navigateFromHere = async (options: Parameters<typeof navigate>[0]) => {
    // The latest location is that of a navigation under way.
    if (router.latestLocation.pathname === here) await navigate(options)
  }
  // The options are passed on, so that their routes are checked as those of `navigate`.
  return navigateFromHere as typeof navigate
}

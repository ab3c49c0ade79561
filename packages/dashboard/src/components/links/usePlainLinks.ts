import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type SyntheticEvent, useMemo } from 'react'

/** Longer than a `Link` waits: rows that scroll below the pointer should not load the pages of features. */
const PRELOAD_DELAY_MS = 150

/**
 * Returns handlers for an element around many plain links to pages of the dashboard, which then behave as each `Link` does.
 * A `Link` follows the address, so a list of them takes time whenever it changes.
 */
export function usePlainLinks() {
  const router: AnyRouter = useRouter()
  return useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const preload = (event: SyntheticEvent) => {
      clearTimeout(timer)
      const link = findLink(event)
      if (!link) return
      timer = setTimeout(() => router.preloadRoute({ to: link.pathname }).catch(() => undefined), PRELOAD_DELAY_MS)
    }
    return {
      onPointerOver: preload,
      onFocus: preload,
      onClick: (event: MouseEvent) => {
        const link = findLink(event)
        if (!link || event.defaultPrevented || event.button !== 0) return
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        clearTimeout(timer)
        void router.navigate({ href: link.pathname + link.search })
      }
    }
  }, [router])
}

function findLink({ target }: SyntheticEvent): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest('a') : null
}

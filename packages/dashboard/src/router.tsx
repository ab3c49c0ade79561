import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routes.ts'
import { PageError, PageNotFound, PagePending } from './shell/RouteStates.tsx'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 150,
  // The place of a page gives way as soon as the page is there.
  defaultPendingMinMs: 0,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

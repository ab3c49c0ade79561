import './theme/tokens.css'
import './theme/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { ApiError } from '@burgee/contract/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { followChanges } from './api/changes.ts'
import { reportLoadFailure } from './api/connection.ts'
import { queryClient } from './api/query.ts'
import { lazyPart } from './lazyPage.ts'
import { router } from './router.tsx'

// Schemas of forms would try `new Function`, which the content security policy reports. Forms load zod later.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// The first page does not wait for the code of notices.
const ToastList = lazyPart(() => import('./components/notices/ToastList.tsx').then((module) => module.ToastList))

// Links without an organization: the page replaces any that is not the person's own.
if (location.pathname.startsWith('/o//')) {
  history.replaceState(history.state, '', location.href.replace('/o//', '/o/-/'))
}

// Before the first read: what is read before the stream of changes is open is read again.
followChanges(/^\/o\/[^/]+\/p\/([^/]+)/.exec(location.pathname)?.[1])

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

addEventListener('vite:preloadError', reportLoadFailure)

createRoot(root, {
  onCaughtError: (error) => {
    // A start without a session goes to the sign-in page, and is no failure.
    if (error instanceof ApiError && error.status === 401) return
    // biome-ignore lint/suspicious/noConsole: as React does by default.
    console.error(error)
  }
}).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense fallback={null}>
          <ToastList />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>
)

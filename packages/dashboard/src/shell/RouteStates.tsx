import { ApiError } from '@burgee/contract/client'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { leaveToSignIn } from '../api/signIn.ts'
import { Page } from '../components/Page.tsx'
import { ErrorBanner, Skeleton } from '../components/States.tsx'

/** The placeholder of a page while its code or data loads. */
export function PagePending() {
  return (
    <div style={{ padding: '1.5rem' }}>
      <Skeleton rows={6} />
    </div>
  )
}

/** A page that failed: which request, why, and a way to retry. Without a session, goes to the sign-in page. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isSignedOut = error instanceof ApiError && error.status === 401
  useEffect(() => {
    if (isSignedOut) leaveToSignIn()
  }, [isSignedOut])
  if (isSignedOut) return <p style={{ padding: '1.5rem' }}>Redirecting to the sign-in page…</p>
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be loaded">
      <ErrorBanner error={error} onRetry={retry} />
      <p>
        <Link to="/">Back to the start page</Link>
      </p>
    </Page>
  )
}

export function PageNotFound() {
  return (
    <Page title="Page not found">
      <p>The address may be wrong, or the page may have been deleted.</p>
      <p>
        <Link to="/">Back to the start page</Link>
      </p>
    </Page>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useConnection } from '../api/connection.ts'
import { call, read } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { giveUpRequests, listen, openSignIn, repeatRequests } from '../api/signIn.ts'
import { Button } from '../parts/Button.tsx'
import { LazyDialog } from '../parts/LazyDialog.tsx'
import { Banner } from '../parts/States.tsx'

/** Asks to sign in again when the session has ended while the page was open. What failed meanwhile is repeated then. */
export function SignedOut() {
  const { isSignedOut } = useConnection()
  const [isDismissed, setDismissed] = useState(false)
  useMessages(() => setDismissed(false))
  const dismiss = () => {
    setDismissed(true)
    giveUpRequests()
  }
  if (!isSignedOut) return null
  return (
    <>
      <Banner tone="waiting">
        <span role="status">You were signed out. What you typed is kept.</span>
        <Button onClick={openSignIn}>Sign in</Button>
      </Banner>
      <LazyDialog
        isOpen={!isDismissed}
        onClose={dismiss}
        title="You were signed out"
        actions={
          <>
            <Button onClick={dismiss}>Not now</Button>
            <Button kind="primary" onClick={openSignIn}>
              Sign in
            </Button>
          </>
        }
      >
        <p>What you typed is kept. Sign in in a new window, and this page goes on where it was.</p>
      </LazyDialog>
    </>
  )
}

/** Follows what other tabs and the window of the sign-in report. */
function useMessages(onSignedIn: () => void) {
  const client = useQueryClient()
  const { user } = useSession()
  const goOn = useEffectEvent(async () => {
    const session = await call('getSession', {})
    // The page shows what the person before could see, and has requests in their name.
    if (session.user.id !== user.id) return location.reload()
    client.setQueryData(read('getSession', {}).queryKey, session)
    onSignedIn()
    repeatRequests()
  })
  useEffect(
    () =>
      listen((type) => {
        if (type === 'signed-in') return void goOn()
        sessionStorage.clear()
        location.assign('/')
      }),
    []
  )
}

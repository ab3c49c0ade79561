import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useConnection } from '../api/connection.ts'
import { call, read } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { giveUpRequests, listen, openSignIn, repeatRequests } from '../api/signIn.ts'
import { Button } from '../components/Button.tsx'
import { LazyDialog } from '../components/LazyDialog.tsx'
import { Banner } from '../components/States.tsx'
import { leaveTab } from './leaveTab.ts'

/** Asks to sign in again when the session has ended while the page was open. Requests that failed in the meantime are repeated. */
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
        <span role="status">You were signed out. Your input is kept.</span>
        <Button onClick={openSignIn}>Sign in</Button>
      </Banner>
      <LazyDialog
        isOpen={!isDismissed}
        onClose={dismiss}
        title="You were signed out"
        actions={
          <>
            <Button onClick={dismiss}>Later</Button>
            <Button kind="primary" onClick={openSignIn}>
              Sign in
            </Button>
          </>
        }
      >
        <p>Your input is kept. Sign in in a new window to continue on this page.</p>
      </LazyDialog>
    </>
  )
}

/** Handles messages from other tabs and from the sign-in window. */
function useMessages(onSignedIn: () => void) {
  const client = useQueryClient()
  const { user } = useSession()
  const leave = useEffectEvent((keepsDrafts: boolean) => leaveTab(user.id, keepsDrafts))
  const continueSession = useEffectEvent(async () => {
    const session = await call('getSession', {})
    // The page shows data of the previous person, and holds their requests.
    if (session.user.id !== user.id) return location.reload()
    client.setQueryData(read('getSession', {}).queryKey, session)
    onSignedIn()
    repeatRequests()
  })
  useEffect(
    () =>
      listen((message) => {
        if (message.type === 'signed-in') void continueSession()
        else leave(message.keepsDrafts)
      }),
    []
  )
}

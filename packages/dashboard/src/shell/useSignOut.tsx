import { useState } from 'react'
import { endSession, useSession } from '../api/session.ts'
import { Button } from '../components/Button.tsx'
import { LazyDialog } from '../components/LazyDialog.tsx'
import { notify } from '../components/Toasts.ts'
import { countDrafts } from '../draft/persistence.ts'
import { leaveTab } from './leaveTab.ts'

/** Signs out; if the tab holds unsaved drafts, a dialog asks first whether to keep them. */
export function useSignOut() {
  const session = useSession()
  const [drafts, setDrafts] = useState(0)
  const close = () => setDrafts(0)
  const signOut = async (keepsDrafts: boolean) => {
    close()
    try {
      await endSession(keepsDrafts)
      leaveTab(session.user.id, keepsDrafts)
    } catch (error) {
      notify({
        text: `You are still signed in: ${error instanceof Error ? error.message : 'the server is not responding'}`
      })
    }
  }
  const start = () => {
    const count = countDrafts(sessionStorage, session.user.id)
    // Other tabs keep theirs, since this one cannot ask about them.
    if (count === 0) return void signOut(true)
    setDrafts(count)
  }
  const dialog = (
    <LazyDialog
      isOpen={drafts > 0}
      onClose={close}
      title="Sign out"
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button onClick={() => void signOut(false)}>Discard and sign out</Button>
          <Button kind="primary" onClick={() => void signOut(true)}>
            Keep and sign out
          </Button>
        </>
      }
    >
      <p>
        Unsaved drafts in this tab: {drafts}. If you keep them, you can continue after you sign in again in this tab.
        Other people do not see them on these pages. On a shared computer, discard them; that discards the drafts of
        other tabs, too.
      </p>
    </LazyDialog>
  )
  return { start, dialog }
}

import type { LoginSession } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/query.ts'
import { leaveToSignIn } from '../../api/signIn.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { formatMoment, Time } from '../../components/Time.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Account.module.css'

/** The browsers in which the person is signed in, each with its end. */
export function Sessions() {
  const [isAsking, setAsking] = useState(false)
  const sessions = useRead('listOwnSessions', {})
  return (
    <Section title="Active sessions" actions={<Button onClick={() => setAsking(true)}>Sign out everywhere…</Button>}>
      <Loaded query={sessions} title="Sessions could not be loaded">
        {(rows) => (
          <Table
            label="Sessions"
            rows={rows}
            rowKey={({ _id }) => _id}
            columns={[
              { id: 'where', title: 'Browser', cell: (session) => <Where session={session} /> },
              { id: 'used', title: 'Last used', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
              { id: 'ends', title: 'Expires', cell: ({ expiresAt }) => formatMoment(expiresAt) },
              {
                id: 'actions',
                title: <span className="visually-hidden">Actions</span>,
                align: 'end',
                cell: (session) => <EndSession session={session} />
              }
            ]}
          />
        )}
      </Loaded>
      {isAsking && <SignOutDialog onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Where({ session: { isCurrent, signedInAt, applications } }: { readonly session: LoginSession }) {
  const others = applications.filter((application) => application !== 'burgee-dashboard')
  return (
    <span className={styles.where}>
      <span className={styles.line}>
        {isCurrent ? <Badge tone="live">this browser</Badge> : 'Another browser'}
        <span className={styles.soft}>
          since <Time value={signedInAt} />
        </span>
      </span>
      {others.length > 0 && <span className={styles.soft}>signed in to {others.join(', ')}</span>}
    </span>
  )
}

function EndSession({ session: { _id, isCurrent, signedInAt } }: { readonly session: LoginSession }) {
  const end = useWrite('endOwnSession', ['listOwnSessions'])
  return (
    <Button
      aria-label={`Sign out the session since ${formatMoment(signedInAt)}`}
      isBusy={end.isPending}
      reason={isCurrent ? 'this is your current session: use “Sign out” in the account menu' : undefined}
      onClick={() =>
        end.mutate(
          { params: { session: _id } },
          {
            onSuccess: () => notify({ text: 'Ended the session. That browser has to sign in again.' }),
            onError: (error) => notify({ text: `Could not end the session: ${error.message}` })
          }
        )
      }
    >
      {' '}
      Sign out{' '}
    </Button>
  )
}

function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  // Nothing can be read afterwards: the session is over.
  const signOut = useWrite('signOutEverywhere', [])
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Sign out everywhere"
      action="Sign out everywhere"
      isDangerous
      isBusy={signOut.isPending}
      onConfirm={() => signOut.mutate({}, { onSuccess: leaveToSignIn })}
      error={signOut.error && <ErrorBanner error={signOut.error} />}
    >
      <p>This ends all of your sessions at once, including this one. Applications and assistants lose their access.</p>
    </ConfirmDialog>
  )
}

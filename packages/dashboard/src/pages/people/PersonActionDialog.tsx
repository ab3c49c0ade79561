import type { UserAccount } from '@burgee/contract/schemas'
import { type OperationId, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { showSecret } from '../../components/access/shownSecrets.ts'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'

/** The actions on a person that have to be confirmed. */
export type PersonAction = 'disable' | 'enable' | 'password' | 'factors' | 'signOut'

interface Words {
  readonly title: (name: string) => string
  readonly action: string
  readonly text: string
  readonly done: (name: string) => string
  readonly isDangerous?: true
}

const words: Readonly<Record<PersonAction, Words>> = {
  disable: {
    title: (name) => `Disable ${name}`,
    action: 'Disable',
    text: 'Ends all sessions and tokens of this person at once, and prevents sign-in. Roles are kept. SDK keys and API clients that they created keep working.',
    done: (name) => `Disabled ${name}`,
    isDangerous: true
  },
  enable: {
    title: (name) => `Enable ${name}`,
    action: 'Enable',
    text: 'The person can sign in again with their previous roles. Earlier sessions and tokens remain invalid.',
    done: (name) => `Enabled ${name}`
  },
  password: {
    title: (name) => `Reset the password of ${name}`,
    action: 'Reset password',
    text: 'Creates a one-time password, which the person replaces at the next sign-in. The current password and all sessions and tokens become invalid at once. Second factors are kept.',
    done: (name) => `Reset the password of ${name}`,
    isDangerous: true
  },
  factors: {
    title: (name) => `Remove the second factors of ${name}`,
    action: 'Remove second factors',
    text: 'For a person who lost their device and recovery codes. Verify their identity first. Removes authenticator apps, passkeys and recovery codes, and ends all sessions and tokens. This cannot be undone.',
    done: (name) => `Removed the second factors of ${name}`,
    isDangerous: true
  },
  signOut: {
    title: (name) => `Sign ${name} out everywhere`,
    action: 'Sign out everywhere',
    text: 'Ends all sessions and tokens of this person at once, including those of applications. They can sign in again.',
    done: (name) => `Signed ${name} out everywhere`
  }
}

interface Props {
  readonly person: UserAccount
  readonly act: PersonAction
  readonly onClose: () => void
}

const reads: readonly OperationId[] = ['listUsers', 'getUser', 'getUserPermissions']

/** Confirms an action on a person. Shows a new password once afterwards. */
export function PersonActionDialog({ person, act, onClose }: Props) {
  const { server } = useSession()
  const { run, isPending, error } = useAction(person, act)
  const { title, action, text, done, isDangerous } = words[act]
  const confirm = () =>
    run((password) => {
      onClose()
      if (password === undefined) return notify({ text: done(person.name) })
      showSecret({
        title: `One-time password of ${person.name}`,
        secret: password,
        what: 'the password',
        text: (
          <>
            Send it to the person over a private channel. They sign in with it at{' '}
            <code>{server.publicUrl ?? location.origin}</code>, and replace it there.
          </>
        )
      })
    })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title(person.name)}
      action={action}
      isDangerous={isDangerous ?? false}
      isBusy={isPending}
      onConfirm={confirm}
      error={error && <ErrorBanner error={error} />}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
}

/** Runs a confirmed action; returns the new password, if there is one. */
function useAction({ _id }: UserAccount, act: PersonAction) {
  const update = useWrite('updateUser', reads)
  const reset = useWrite('resetPassword', reads)
  const factors = useWrite('resetSecondFactors', reads)
  const signOut = useWrite('signOutUser', reads)
  const params = { user: _id }
  const run = (onDone: (password?: string) => void) => {
    const onSuccess = () => onDone()
    switch (act) {
      case 'disable':
      case 'enable':
        return update.mutate({ params, body: { isDisabled: act === 'disable' } }, { onSuccess })
      case 'password':
        return reset.mutate({ params, body: {} }, { onSuccess: ({ password }) => onDone(password) })
      case 'factors':
        return factors.mutate({ params }, { onSuccess })
      case 'signOut':
        return signOut.mutate({ params }, { onSuccess })
    }
  }
  const writes = [update, reset, factors, signOut]
  return {
    run,
    isPending: writes.some(({ isPending }) => isPending),
    error: writes.find(({ error }) => error)?.error ?? null
  }
}

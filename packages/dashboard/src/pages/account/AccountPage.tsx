import { useRead } from '../../api/query.ts'
import { usePermission, useSession } from '../../api/session.ts'
import { Page, Section } from '../../components/Page.tsx'
import styles from './Account.module.css'
import { Applications } from './Applications.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { Preferences } from './Preferences.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { Sessions } from './Sessions.tsx'

/** The signed-in person: how they sign in, where they are signed in, and how this browser shows things. */
export function AccountPage() {
  const { user, server } = useSession()
  const mayRead = usePermission('organization:read:members')
  const account = useRead('getUser', { params: { user: user.id } }, { enabled: mayRead }).data
  // Unknown without the permission to see people: the server then says whether there is a password.
  const hasPassword = account?.hasPassword !== false
  return (
    <Page title="Your account" width="form">
      <dl className={styles.facts}>
        <dt>Name</dt>
        <dd>
          <bdi>{user.name}</bdi>
        </dd>
        {user.email !== undefined && (
          <>
            <dt>E-mail address</dt>
            <dd>
              <bdi>{user.email}</bdi>
            </dd>
          </>
        )}
      </dl>
      <Section title="Appearance">
        <Preferences />
      </Section>
      {hasPassword ? (
        <PasswordSection />
      ) : (
        <Section title="Password">
          <p className={styles.soft}>
            {server.signInName === undefined
              ? 'Your account has no password. Administrators can give you a one-time password.'
              : `Your account has no password: you sign in through ${server.signInName}.`}
          </p>
        </Section>
      )}
      <SecondFactors />
      <Sessions />
      <Applications />
    </Page>
  )
}

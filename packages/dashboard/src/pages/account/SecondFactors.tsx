import type { SecondFactors as Factors } from '@burgee/contract/schemas'
import { useRead } from '../../api/query.ts'
import { Section } from '../../components/Page.tsx'
import { Banner, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Account.module.css'

/** The second factors of the person. They are changed on a page of the server, which asks for a recent sign-in. */
export function SecondFactors() {
  const factors = useRead('listSecondFactors', {})
  return (
    <Section title="Second factors" actions={<a href="/oauth/account">Manage second factors</a>}>
      <Loaded query={factors} title="Second factors could not be loaded">
        {(loaded) => <FactorList factors={loaded} />}
      </Loaded>
    </Section>
  )
}

const types = { authenticatorApp: 'Authenticator app', passkey: 'Passkey' } as const

/** From this number on, recovery codes should be replaced. */
const FEW_CODES = 3

function FactorList({ factors: { factors, unusedRecoveryCodes, isRequired } }: { readonly factors: Factors }) {
  if (factors.length === 0) {
    return (
      <p className={styles.soft}>
        You have no second factor. {isRequired && 'Your organization requires one. '}An authenticator app or a passkey
        protects your account, also from people who know your password.
      </p>
    )
  }
  return (
    <>
      <Table
        label="Second factors"
        rows={factors}
        rowKey={({ _id }) => _id}
        columns={[
          { id: 'name', title: 'Name', cell: ({ name }) => <bdi className={styles.name}>{name}</bdi> },
          { id: 'type', title: 'Type', cell: ({ type }) => types[type] },
          { id: 'made', title: 'Added', cell: ({ createdAt }) => <Time value={createdAt} /> },
          {
            id: 'used',
            title: 'Last used',
            cell: ({ lastUsedAt }) =>
              lastUsedAt === undefined ? <span className={styles.soft}>never</span> : <Time value={lastUsedAt} />
          }
        ]}
      />
      {unusedRecoveryCodes < FEW_CODES ? (
        <Banner>
          <span>
            {unusedRecoveryCodes === 0
              ? 'No recovery code is'
              : `Only ${unusedRecoveryCodes} of your recovery codes are`}{' '}
            left: replace them before you lose your device.
          </span>
        </Banner>
      ) : (
        <p className={styles.soft}>{unusedRecoveryCodes} recovery codes are unused.</p>
      )}
    </>
  )
}

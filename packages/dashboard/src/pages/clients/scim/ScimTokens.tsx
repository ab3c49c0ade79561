import type { ScimToken } from '@burgee/contract/schemas'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { Code } from '../../../components/Copy.tsx'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { Section } from '../../../components/Page.tsx'
import { Empty, ErrorBanner, Loaded } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { formatMoment, Time } from '../../../components/Time.tsx'
import { notify } from '../../../components/Toasts.ts'
import styles from '../Clients.module.css'
import { CreateScimTokenDialog } from './CreateScimTokenDialog.tsx'

/** The tokens with which identity providers add, change and remove people. */
export function ScimTokens() {
  const { server } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ScimToken>()
  const tokens = useRead('listScimTokens', { query: { perPage: 1000 } })
  return (
    <Section
      title="SCIM provisioning"
      actions={
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
          New SCIM token
        </Button>
      }
    >
      <p className={styles.lead}>
        With a SCIM token, an identity provider adds, changes and removes people and groups at{' '}
        <Code>{`${server.publicUrl ?? location.origin}/scim/v2`}</Code>.
      </p>
      <Loaded query={tokens} title="SCIM tokens could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No identity provider provisions people yet." />
          ) : (
            <Table
              label="SCIM tokens"
              rows={rows}
              rowKey={({ _id }) => _id}
              columns={[
                { id: 'name', title: 'Token', cell: ({ name }) => <Code>{name}</Code> },
                { id: 'made', title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
                {
                  id: 'used',
                  title: 'Last used',
                  cell: ({ lastUsedAt }) =>
                    lastUsedAt === undefined ? <span className={styles.soft}>never</span> : <Time value={lastUsedAt} />
                },
                { id: 'expires', title: 'Expires', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
                {
                  id: 'actions',
                  title: <span className="visually-hidden">Actions</span>,
                  align: 'end',
                  cell: (token) => (
                    <Button aria-label={`Revoke ${token.name}`} onClick={() => setRevoked(token)}>
                      Revoke…
                    </Button>
                  )
                }
              ]}
            />
          )
        }
      </Loaded>
      {isCreating && <CreateScimTokenDialog onClose={() => setCreating(false)} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  )
}

function Expiry({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span className={styles.soft}>never</span>
  const isOver = Date.parse(at) <= Date.now()
  return <Badge tone={isOver ? 'danger' : 'waiting'}>{`${isOver ? 'expired ' : ''}${formatMoment(at)}`}</Badge>
}

function RevokeDialog({ token, onClose }: { readonly token: ScimToken; readonly onClose: () => void }) {
  const revoke = useWrite('deleteScimToken', ['listScimTokens', 'listUsers'])
  const confirm = () =>
    revoke.mutate(
      { params: { token: token._id } },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Revoked the SCIM token ${token.name}` })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke the SCIM token ${token.name}`}
      action="Revoke token"
      typed={token.name}
      isDangerous
      isBusy={revoke.isPending}
      onConfirm={confirm}
      error={revoke.error && <ErrorBanner error={revoke.error} />}
    >
      <p>
        Requests of the identity provider are rejected at once. People who are removed there keep their access here.
        People and groups stay unchanged. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

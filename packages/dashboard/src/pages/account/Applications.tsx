import type { AllowedApplication } from '@burgee/contract/schemas'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/query.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Account.module.css'

/** The applications and assistants that the person allowed to act for them. The dashboard itself is a session. */
export function Applications() {
  const applications = useRead('listOwnApplications', {})
  const [revoked, setRevoked] = useState<AllowedApplication>()
  return (
    <Section title="Authorized applications">
      <Loaded query={applications} title="Applications could not be loaded">
        {(all) => {
          const rows = all.filter(({ clientId }) => clientId !== 'burgee-dashboard')
          if (rows.length === 0)
            return (
              <p className={styles.soft}>
                No application has access. Assistants and tools that you sign in to appear here.
              </p>
            )
          return (
            <Table
              label="Applications"
              rows={rows}
              rowKey={({ clientId }) => clientId}
              columns={[
                { id: 'name', title: 'Application', cell: (application) => <Name application={application} /> },
                { id: 'may', title: 'Permissions', cell: ({ permissions }) => describePermissions(permissions) },
                { id: 'used', title: 'Last used', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
                {
                  id: 'actions',
                  title: <span className="visually-hidden">Actions</span>,
                  align: 'end',
                  cell: (application) => (
                    <Button
                      aria-label={`Revoke the access of ${application.name}`}
                      onClick={() => setRevoked(application)}
                    >
                      Revoke…
                    </Button>
                  )
                }
              ]}
            />
          )
        }}
      </Loaded>
      {revoked && <RevokeDialog application={revoked} onClose={() => setRevoked(undefined)} />}
    </Section>
  )
}

function Name({
  application: { name, clientId, isAssistant, isDynamic, allowedAt }
}: {
  readonly application: AllowedApplication
}) {
  return (
    <span className={styles.where}>
      <span className={styles.line}>
        <bdi className={styles.name} title={clientId}>
          {name}
        </bdi>
        {isAssistant && <Badge tone="partly">assistant</Badge>}
        {isDynamic && (
          <span title="It registered itself, so its name is not verified.">
            <Badge tone="waiting">name not verified</Badge>
          </span>
        )}
      </span>
      <span className={styles.soft}>
        authorized <Time value={allowedAt} />
      </span>
    </span>
  )
}

function describePermissions(permissions: AllowedApplication['permissions']) {
  if (!permissions) return 'all of your permissions'
  return (
    <span title={permissions.join('\n')}>
      {permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`}
    </span>
  )
}

function RevokeDialog({
  application,
  onClose
}: {
  readonly application: AllowedApplication
  readonly onClose: () => void
}) {
  const { name, clientId } = application
  const revoke = useWrite('revokeOwnApplication', ['listOwnApplications', 'listOwnSessions'])
  const confirm = () =>
    revoke.mutate(
      { params: { client: clientId } },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Revoked the access of ${name}` })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke the access of ${name}`}
      action="Revoke access"
      isBusy={revoke.isPending}
      onConfirm={confirm}
      error={revoke.error && <ErrorBanner error={revoke.error} />}
    >
      <p>Its tokens become invalid at once. It asks for access again when you sign in to it.</p>
    </ConfirmDialog>
  )
}

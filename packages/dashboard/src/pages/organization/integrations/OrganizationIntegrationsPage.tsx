import { useState } from 'react'
import { useRead, useWrite } from '../../../api/query.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import { Button } from '../../../components/Button.tsx'
import { Code } from '../../../components/Copy.tsx'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { IssueTracker } from '../../../components/integrations/IssueTracker.tsx'
import { DocsLink } from '../../../components/links/DocsLink.tsx'
import { Page, Section } from '../../../components/Page.tsx'
import { Empty, ErrorBanner, Loaded } from '../../../components/States.tsx'
import styles from '../../../components/settings/Settings.module.css'
import { Table } from '../../../components/Table.tsx'
import { notify } from '../../../components/Toasts.ts'
import { OrganizationTabs } from '../../../shell/OrganizationTabs.tsx'
import { ObservabilityDialog, type System } from './ObservabilityDialog.tsx'

/** The systems that the organization is connected to. */
export function OrganizationIntegrationsPage() {
  const cannotRead = useMissingPermission('organization:read:settings')
  const reason = useMissingPermission('organization:write:settings')
  return (
    <Page title="Integrations" tabs={<OrganizationTabs />}>
      {cannotRead === undefined ? <Observability reason={reason} /> : <Empty title={`This page ${cannotRead}.`} />}
      <Section title="Issue tracker">
        <p className={styles.lead}>
          Features show links to their issues at the address of the issue tracker. Projects without a connection of
          their own use that of the organization.
        </p>
        <IssueTracker reason={reason} />
      </Section>
    </Page>
  )
}

type Open = { readonly type: 'edit'; readonly system?: System } | { readonly type: 'remove'; readonly system: System }

function Observability({ reason }: { readonly reason: string | undefined }) {
  const [open, setOpen] = useState<Open>()
  const integrations = useRead('getObservabilityIntegrations', {})
  const connect = (
    <Button onClick={() => setOpen({ type: 'edit' })} reason={reason}>
      Connect a system…
    </Button>
  )
  const close = () => setOpen(undefined)
  return (
    <Section title="Observability" actions={<DocsLink page="operations/outbound-requests.md#observability" />}>
      <Loaded query={integrations} title="The integrations could not be loaded">
        {({ environments: systems }) =>
          systems.length === 0 ? (
            <Empty title="Observability systems show changes of features on their charts." action={connect}>
              <p>
                Connect a system here, then choose it in the project settings for each environment. The server posts
                each change to the system.
              </p>
            </Empty>
          ) : (
            <>
              <Table
                label="Observability systems"
                rows={systems}
                rowKey={({ observabilityEnvironmentId }) => observabilityEnvironmentId}
                columns={[
                  {
                    id: 'id',
                    title: 'System',
                    cell: ({ observabilityEnvironmentId }) => <Code>{observabilityEnvironmentId}</Code>
                  },
                  { id: 'url', title: 'Address', cell: ({ environmentUrl }) => environmentUrl },
                  { id: 'token', title: 'Token', cell: ({ accessToken }) => <Code>{accessToken}</Code> },
                  {
                    id: 'projects',
                    title: 'Projects',
                    cell: ({ projects }) => projects.map(({ name }) => name).join(', ') || 'none yet'
                  },
                  {
                    id: 'actions',
                    title: <span className="visually-hidden">Actions</span>,
                    align: 'end',
                    cell: (system) => (
                      <>
                        <Button kind="quiet" onClick={() => setOpen({ type: 'edit', system })} reason={reason}>
                          Edit…
                        </Button>
                        <Button kind="quiet" onClick={() => setOpen({ type: 'remove', system })} reason={reason}>
                          Disconnect…
                        </Button>
                      </>
                    )
                  }
                ]}
              />
              <div>{connect}</div>
            </>
          )
        }
      </Loaded>
      {open?.type === 'edit' && <ObservabilityDialog system={open.system} onClose={close} />}
      {open?.type === 'remove' && <RemoveDialog system={open.system} onClose={close} />}
    </Section>
  )
}

function RemoveDialog({ system, onClose }: { readonly system: System; readonly onClose: () => void }) {
  const { observabilityEnvironmentId, projects } = system
  const remove = useWrite('deleteObservabilityIntegration')
  const confirm = () =>
    remove.mutate(
      { params: { observabilityEnvironmentId } },
      {
        onSuccess: () => {
          onClose()
          notify({ text: `Disconnected ${observabilityEnvironmentId}` })
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Disconnect ${observabilityEnvironmentId}?`}
      action="Disconnect"
      isDangerous
      isBusy={remove.isPending}
      onConfirm={confirm}
      error={remove.error && <ErrorBanner error={remove.error} title="Not disconnected" />}
    >
      <p>
        The token is deleted, and pending messages are dropped.{' '}
        {projects.length > 0 &&
          `These projects no longer report changes: ${new Intl.ListFormat('en').format(projects.map(({ name }) => name))}. `}
        To connect it again, you need its token.
      </p>
    </ConfirmDialog>
  )
}

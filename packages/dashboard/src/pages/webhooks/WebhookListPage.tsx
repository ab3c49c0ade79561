import type { Webhook } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Badge } from '../../components/Badge.tsx'
import { Snippet } from '../../components/Copy.tsx'
import { CreateButton } from '../../components/CreateButton.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty, Loaded } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { eventSummary } from './events.ts'
import { receiver } from './receiver.ts'
import { WebhookDialog } from './WebhookDialog.tsx'
import styles from './Webhooks.module.css'

/** The webhooks of a project. */
export function WebhookListPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const [isCreating, setCreating] = useState(false)
  const cannotWrite = useMissingPermission('project:write:settings', project)
  const webhooks = useRead('listWebhooks', { params: { project } })
  const create = (
    <CreateButton onClick={() => setCreating(true)} reason={cannotWrite}>
      New webhook
    </CreateButton>
  )
  return (
    <Page title="Webhooks" actions={create}>
      <Loaded query={webhooks} title="Webhooks could not be loaded">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="A webhook notifies another system when a feature changes." action={create}>
              <p>
                Messages are signed, retried until they are delivered, and listed here with every attempt.{' '}
                <DocsLink page="guides/webhooks.md">About webhooks</DocsLink>. A receiver:
              </p>
              <Snippet label="Receiver for Node.js" text={receiver} />
            </Empty>
          ) : (
            <Table
              label="Webhooks"
              rows={rows}
              rowKey={({ _id }) => _id}
              columns={[
                {
                  id: 'name',
                  title: 'Webhook',
                  cell: ({ _id, name, url }) => (
                    <span className={styles.name}>
                      <Link to="/o/$org/p/$project/webhooks/$webhook" params={{ org, project, webhook: _id }}>
                        {name}
                      </Link>
                      <span className={styles.address} title={url}>
                        {url}
                      </span>
                    </span>
                  )
                },
                { id: 'state', title: 'Status', cell: (webhook) => <WebhookState webhook={webhook} /> },
                { id: 'events', title: 'Events', cell: ({ events }) => eventSummary(events) },
                {
                  id: 'changed',
                  title: 'Changed',
                  cell: ({ updatedAt }) => (
                    <span className={styles.changed}>
                      <Time value={updatedAt} />
                    </span>
                  )
                }
              ]}
            />
          )
        }
      </Loaded>
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** Whether a webhook sends, and whether the server stopped it. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.enabled) return <Badge tone="live">on</Badge>
  return webhook.disabledReason ? <Badge tone="danger">stopped by the server</Badge> : <Badge tone="off">off</Badge>
}

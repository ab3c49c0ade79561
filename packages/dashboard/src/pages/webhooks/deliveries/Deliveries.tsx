import type { Webhook, WebhookDelivery } from '@burgee/contract/schemas'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useReadPage } from '../../../api/query.ts'
import { Button } from '../../../components/Button.tsx'
import { Section } from '../../../components/Page.tsx'
import { Loaded } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { formatMoment, Time } from '../../../components/Time.tsx'
import { eventSummary } from '../events.ts'
import styles from '../Webhooks.module.css'
import { DeliverySheet } from './DeliverySheet.tsx'
import { DeliveryStatus, deliveryWords } from './DeliveryStatus.tsx'
import { DELIVERIES_PER_PAGE, readDeliverySearch } from './deliverySearch.ts'

const tabs = [
  { status: undefined, title: 'All' },
  { status: 'pending', title: 'Pending' },
  { status: 'delivered', title: 'Delivered' },
  { status: 'dead', title: 'Failed' }
] as const

/** The log of deliveries, newest first, by status. The open delivery is in the address. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { project = '' } = useParams({ strict: false })
  const { status, page = 1, delivery } = readDeliverySearch(useSearch({ strict: false }))
  const params = { project, id: webhook._id }
  const deliveries = useReadPage('listWebhookDeliveries', {
    params,
    query: { page, perPage: DELIVERIES_PER_PAGE, ...(status ? { status } : {}) }
  })
  return (
    <Section
      title="Deliveries"
      actions={
        <span className={styles.age}>
          {deliveries.dataUpdatedAt > 0 && `As of ${formatMoment(deliveries.dataUpdatedAt)}`}
          <Button
            kind="quiet"
            icon={<RefreshCw size={16} aria-hidden="true" />}
            isBusy={deliveries.isFetching}
            onClick={() => void deliveries.refetch()}
          >
            Refresh
          </Button>
        </span>
      }
    >
      <nav className={styles.tabs} aria-label="Deliveries by status">
        {tabs.map((tab) => (
          <StatusTab key={tab.title} {...tab} id={webhook._id} isCurrent={tab.status === status} />
        ))}
      </nav>
      <Loaded query={deliveries} title="Deliveries could not be loaded">
        {({ items, count }) =>
          items.length === 0 ? (
            <p className={styles.none}>
              {status
                ? `No delivery is ${deliveryWords[status]}.`
                : 'Nothing has been sent yet. Messages about the chosen events appear here.'}
            </p>
          ) : (
            <>
              <DeliveryTable items={items} />
              <Pages page={page} count={count} />
            </>
          )
        }
      </Loaded>
      {delivery !== undefined && <DeliverySheet webhook={webhook} id={delivery} />}
    </Section>
  )
}

interface TabProps {
  readonly status: WebhookDelivery['status'] | undefined
  readonly title: string
  readonly id: string
  readonly isCurrent: boolean
}

function StatusTab({ status, title, id, isCurrent }: TabProps) {
  const { project = '' } = useParams({ strict: false })
  const query = { perPage: 1, ...(status ? { status } : {}) }
  const { data } = useReadPage('listWebhookDeliveries', { params: { project, id }, query })
  return (
    <Link
      to="."
      search={({ env }: { env?: string }) => ({ ...(env ? { env } : {}), ...(status ? { status } : {}) })}
      resetScroll={false}
      className={styles.tab}
      activeProps={{}}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {title} {data && <span className={styles.count}>{data.count}</span>}
    </Link>
  )
}

function DeliveryTable({ items }: { readonly items: readonly WebhookDelivery[] }) {
  return (
    <Table
      label="Deliveries"
      rows={items}
      rowKey={({ _id }) => _id}
      columns={[
        {
          id: 'events',
          title: 'Message',
          cell: ({ _id, events }) => (
            <Link to="." search={(previous: object) => ({ ...previous, delivery: _id })} resetScroll={false}>
              {eventSummary(events)}
            </Link>
          )
        },
        { id: 'status', title: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
        { id: 'attempts', title: 'Attempts', cell: (row) => <Attempts delivery={row} /> },
        { id: 'made', title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> }
      ]}
    />
  )
}

function Attempts({ delivery: { attempts, nextAttemptAt } }: { readonly delivery: WebhookDelivery }) {
  const last = attempts.at(-1)
  return (
    <span>
      {attempts.length === 0 ? 'none yet' : `${attempts.length}, last ${last?.status ?? 'without a response'}`}
      {nextAttemptAt !== undefined && (
        <>
          , next <Time value={nextAttemptAt} />
        </>
      )}
    </span>
  )
}

function Pages({ page, count }: { readonly page: number; readonly count: number }) {
  const last = Math.max(1, Math.ceil(count / DELIVERIES_PER_PAGE))
  if (last === 1) return null
  const link = (target: number, words: string) =>
    target >= 1 && target <= last ? (
      <Link to="." search={({ page: _left, ...rest }) => ({ ...rest, ...(target > 1 ? { page: target } : {}) })}>
        {words}
      </Link>
    ) : (
      <span className={styles.soft}>{words}</span>
    )
  return (
    <nav className={styles.pages} aria-label="Pages of deliveries">
      {link(page - 1, 'Newer')}
      <span>
        Page {page} of {last}
      </span>
      {link(page + 1, 'Older')}
    </nav>
  )
}

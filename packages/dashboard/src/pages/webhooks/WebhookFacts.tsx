import type { Webhook } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { CopyButton } from '../../components/Copy.tsx'
import { Section } from '../../components/Page.tsx'
import { eventGroups, eventTitle } from './events.ts'
import styles from './Webhooks.module.css'

/** What a webhook sends, and its URL. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { project = '' } = useParams({ strict: false })
  const { data: environments = [] } = useEnvironments(project)
  const names = webhook._environments.map((id) => environments.find(({ _id }) => _id === id)?.name ?? id)
  return (
    <Section title="Configuration">
      <dl className={styles.facts}>
        {webhook.description !== undefined && webhook.description !== '' && (
          <Fact title="Description">{webhook.description}</Fact>
        )}
        <Fact title="URL">
          <span className={styles.addressLine}>
            <code className={styles.wrap}>{webhook.url}</code>
            <CopyButton text={webhook.url} label="Copy the URL" />
          </span>
        </Fact>
        <Fact title="Events">
          <EventList webhook={webhook} />
        </Fact>
        <Fact title="Feature">{webhook._feature ? <FeatureLink id={webhook._feature} /> : 'all features'}</Fact>
        <Fact title="Environments">{names.length === 0 ? 'all environments' : names.join(', ')}</Fact>
        <Fact title="Format">{webhook.outputFormat?.type === 'chat' ? 'text for chat systems' : 'JSON'}</Fact>
      </dl>
    </Section>
  )
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function EventList({ webhook: { events } }: { readonly webhook: Webhook }) {
  if (events.length === 0) return <>none</>
  const groups = eventGroups
    .map(({ title, events: known }) => ({ title, chosen: known.filter(([event]) => events.includes(event)) }))
    .filter(({ chosen }) => chosen.length > 0)
  return (
    <ul>
      {groups.map(({ title, chosen }) => (
        <li key={title}>
          <span className={styles.soft}>{title}:</span> {chosen.map(([event]) => eventTitle(event)).join(', ')}
        </li>
      ))}
    </ul>
  )
}

/** A feature by its name, with a link to it. */
export function FeatureLink({ id }: { readonly id: string }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const { data } = useRead('getFeature', { params: { project, feature: id } })
  return (
    <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: data?.key ?? id }}>
      {data?.name ?? id}
    </Link>
  )
}

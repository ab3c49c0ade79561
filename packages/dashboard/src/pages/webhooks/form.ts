import type { CreateWebhook, UpdateWebhook, Webhook, WebhookEvent } from '@burgee/contract/schemas'

/** A webhook as its form shows it. */
export interface WebhookForm {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  /** The id of the only feature, or empty for all. */
  readonly feature: string
  /** The ids of the only environments. Empty: all. */
  readonly environments: readonly string[]
  readonly format: 'json' | 'chat'
}

export const emptyWebhookForm: WebhookForm = {
  name: '',
  description: '',
  url: '',
  events: ['enabledEnvironment', 'disabledEnvironment', 'addedTarget', 'modifiedTarget', 'removedTarget'],
  feature: '',
  environments: [],
  format: 'json'
}

/** What the form shows of a webhook. */
export function toWebhookForm(webhook: Webhook): WebhookForm {
  return {
    name: webhook.name,
    description: webhook.description ?? '',
    url: webhook.url,
    events: webhook.events,
    feature: webhook._feature ?? '',
    environments: webhook._environments,
    format: webhook.outputFormat?.type ?? 'json'
  }
}

/** The body that stores what the form shows. */
export function toWebhookBody({
  name,
  description,
  url,
  events,
  feature,
  environments,
  format
}: WebhookForm): CreateWebhook {
  return {
    name,
    description,
    url: url.trim(),
    events: [...events],
    _feature: feature === '' ? null : feature,
    _environments: [...environments],
    outputFormat: { type: format }
  }
}

/** The members of the body that differ between two states of the form. */
export function toWebhookUpdate(from: WebhookForm, to: WebhookForm): UpdateWebhook {
  const before = Object.entries(toWebhookBody(from))
  const after: Readonly<Record<string, unknown>> = toWebhookBody(to)
  const changed = before.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map(([name]) => [name, after[name]]))
}

/** What to know about an address before it is saved. */
export function addressHint(text: string): string | undefined {
  const address = URL.parse(text.trim())
  if (!address) return undefined
  if (isPrivate(address.hostname)) {
    return 'The server rejects private addresses, unless its setting BURGEE_ALLOWED_PRIVATE_TARGETS lists them.'
  }
  return address.protocol === 'http:' ? 'Messages are signed but not encrypted. Prefer https.' : undefined
}

function isPrivate(host: string): boolean {
  return (
    host === 'localhost' ||
    /\.(local|internal|localhost)$/.test(host) ||
    /^(127|10)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(host) ||
    /^\[(::1|f[cd]|fe80)/.test(host)
  )
}

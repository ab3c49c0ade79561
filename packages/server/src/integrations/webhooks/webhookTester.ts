import type { AuditLogChange, WebhookAttempt } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { conflict, type HttpError, rateLimited } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import { SECOND, toIsoString } from '../../lib/time.ts'
import type { StoredWebhook } from '../../storage/resources/notification.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { toAttempt } from '../outbox/applyAttempt.ts'
import { buildSignedRequest } from './buildSignedRequest.ts'
import type { WebhookPayload } from './webhookPayload.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
  readonly now: () => number
  readonly send: SafeFetch
  /** Counts a test of a project. @throws {HttpError} 429 above the limit. */
  readonly limitWebhookTests: (project: string) => Promise<void>
}

/**
 * Sends a sample to a webhook, without retries.
 * @throws {HttpError} 409 while the webhook is being tested, 429 above the limits
 */
export type TestWebhook = (
  webhook: StoredWebhook,
  project: Pick<StoredProject, '_id' | 'key'>,
  caller: TokenCaller
) => Promise<WebhookAttempt>

/**
 * Creates a function that tests webhooks. Concurrency is limited, since receivers can be slow and belong to third
 * parties.
 */
export function createWebhookTester({ store, ids, now, send, limitWebhookTests }: Dependencies): TestWebhook {
  /** The ids of webhooks that are being tested → the ids of their projects. */
  const running = new Map<string, string>()
  return async (webhook, project, caller) => {
    if (running.has(webhook._id)) {
      throw conflict(`a test of webhook "${webhook.name}" is running; wait for its result`)
    }
    const own = [...running.values()].filter((one) => one === project._id)
    if (own.length >= MAX_CONCURRENT_PER_PROJECT) {
      throw tooManyTests(`${MAX_CONCURRENT_PER_PROJECT} tests of webhooks of project "${project.key}" are running`)
    }
    if (running.size >= MAX_CONCURRENT) throw tooManyTests(`${MAX_CONCURRENT} tests of webhooks are running`)
    running.set(webhook._id, project._id)
    try {
      await limitWebhookTests(project._id)
      const at = now()
      const payload = samplePayload(webhook, project, caller, at)
      const request = await buildSignedRequest(store, webhook, { id: ids.id(), at, payload })
      return toAttempt(await send(request), at)
    } finally {
      running.delete(webhook._id)
    }
  }
}

const MAX_CONCURRENT = 10

const MAX_CONCURRENT_PER_PROJECT = 3

function tooManyTests(situation: string): HttpError {
  return rateLimited(`${situation}; retry when one of them has finished`, 15 * SECOND)
}

/** The details of warnings, which their text contains. */
const sampleDetails: { readonly [Type in string]?: Pick<AuditLogChange, 'metadata'> } = {
  expiringSdkKey: {
    metadata: { environment: 'sample', type: 'server', key: '****', expiresAt: '2030-01-01T00:00:00.000Z' }
  },
  expiringApiClient: {
    metadata: { clientId: 'sample-client', name: 'Sample', expiresAt: '2030-01-01T00:00:00.000Z' }
  },
  expiringScimToken: { metadata: { name: 'Sample', expiresAt: '2030-01-01T00:00:00.000Z' } },
  expiringWorkloadTrust: {
    metadata: { trust: 'sample-trust', name: 'Sample', expiresAt: '2030-01-01T00:00:00.000Z' }
  }
}

/** Returns the payload of a change that did not happen. */
function samplePayload(
  { events }: StoredWebhook,
  { key: projectId }: Pick<StoredProject, 'key'>,
  { name, email }: TokenCaller,
  at: number
): WebhookPayload {
  const [type = 'modifiedFeature'] = events
  return {
    events: [type],
    key: 'sample-feature',
    projectId,
    version: 'v1',
    changes: [{ type, ...sampleDetails[type] }],
    date: toIsoString(at),
    user: { name, ...omitUndefined({ email }) },
    test: true
  }
}

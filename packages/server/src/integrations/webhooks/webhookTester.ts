import type { WebhookAttempt } from '@burgee/contract'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { type ApiError, conflict, rateLimited } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import { SECOND, toIsoString } from '../../lib/time.ts'
import type { StoredProject, StoredWebhook } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { toAttempt } from '../outbox/applyAttempt.ts'
import { buildSignedRequest } from './buildSignedRequest.ts'
import type { WebhookPayload } from './webhookPayload.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<IdGenerator, 'id'>
  readonly now: () => number
  readonly send: SafeFetch
  /** Counts a test of a project. @throws {ApiError} 429 once it has had too many. */
  readonly limitWebhookTests: (project: string) => Promise<void>
}

/** Sends a sample to a webhook of a project, at once and once. @throws {ApiError} 409 or 429 while others are under way, 429 after too many. */
export type TestWebhook = (
  webhook: StoredWebhook,
  project: Pick<StoredProject, '_id' | 'key'>,
  caller: TokenCaller
) => Promise<WebhookAttempt>

/** Tests of webhooks, few at a time: what they call may be slow, and may be somebody else's. */
export function createWebhookTester({ store, ids, now, send, limitWebhookTests }: Dependencies): TestWebhook {
  /** The id of each webhook that is being tested, and that of its project. */
  const running = new Map<string, string>()
  return async (webhook, project, caller) => {
    if (running.has(webhook._id)) {
      throw conflict(`a test of webhook "${webhook.name}" is under way; wait for what comes of it`)
    }
    const own = [...running.values()].filter((one) => one === project._id)
    if (own.length >= MAX_CONCURRENT_PER_PROJECT) {
      throw tooManyTests(`${MAX_CONCURRENT_PER_PROJECT} tests of webhooks of project "${project.key}" are under way`)
    }
    if (running.size >= MAX_CONCURRENT) throw tooManyTests(`${MAX_CONCURRENT} tests of webhooks are under way`)
    running.set(webhook._id, project._id)
    try {
      await limitWebhookTests(project._id)
      const at = now()
      const body = samplePayload(webhook, project, caller, at)
      const request = await buildSignedRequest(store, webhook, { id: ids.id(), at, body })
      return toAttempt(await send(request), at)
    } finally {
      running.delete(webhook._id)
    }
  }
}

const MAX_CONCURRENT = 10

const MAX_CONCURRENT_PER_PROJECT = 3

function tooManyTests(words: string): ApiError {
  return rateLimited(`${words}; try again when one of them has finished`, 15 * SECOND)
}

/** What could be told of a change, if there were one. */
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
    changes: [{ type }],
    date: toIsoString(at),
    user: { name, ...omitUndefined({ email }) },
    test: true
  }
}

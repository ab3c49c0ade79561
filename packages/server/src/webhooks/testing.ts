import type { WebhookAttempt } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { attemptOf } from '../deliveries/afterAttempt.ts'
import { ApiError, conflict } from '../errors.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import { inUtc } from '../inUtc.ts'
import type { Send } from '../outbound/send.ts'
import type { StoredProject, StoredWebhook } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { WebhookBody } from './body.ts'
import { signedRequest } from './signedRequest.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Pick<Ids, 'id'>
  readonly now: () => number
  readonly send: Send
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
export function testsOf({ store, ids, now, send, limitWebhookTests }: Dependencies): TestWebhook {
  /** The id of each webhook that is being tested, and that of its project. */
  const running = new Map<string, string>()
  return async (webhook, project, caller) => {
    if (running.has(webhook._id)) {
      throw conflict(`a test of webhook "${webhook.name}" is under way; wait for what comes of it`)
    }
    const own = [...running.values()].filter((one) => one === project._id)
    if (own.length >= AT_ONCE_IN_PROJECT) {
      throw busy(`${AT_ONCE_IN_PROJECT} tests of webhooks of project "${project.key}" are under way`)
    }
    if (running.size >= AT_ONCE) throw busy(`${AT_ONCE} tests of webhooks are under way`)
    running.set(webhook._id, project._id)
    try {
      await limitWebhookTests(project._id)
      const at = now()
      const body = sampleOf(webhook, project, caller, at)
      const request = await signedRequest(store, webhook, { id: ids.id(), at, body })
      return attemptOf(await send(request), at)
    } finally {
      running.delete(webhook._id)
    }
  }
}

const AT_ONCE = 10

const AT_ONCE_IN_PROJECT = 3

function busy(words: string): ApiError {
  const message = `${words}; try again when one of them is over`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '15' } })
}

/** What could be told of a change, if there were one. */
function sampleOf(
  { events }: StoredWebhook,
  { key: projectId }: Pick<StoredProject, 'key'>,
  { name, email }: TokenCaller,
  at: number
): WebhookBody {
  const [type = 'modifiedFeature'] = events
  return {
    events: [type],
    key: 'sample-feature',
    projectId,
    version: 'v1',
    changes: [{ type }],
    date: inUtc(at),
    user: { name, ...given({ email }) },
    test: true
  }
}

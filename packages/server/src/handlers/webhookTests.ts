import type { Ids } from '../id.ts'
import type { Send } from '../outbound/send.ts'
import type { Store } from '../store/store.ts'
import { findWebhook } from '../webhooks/findWebhook.ts'
import { testsOf } from '../webhooks/testing.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: Ids
  readonly now: () => number
  readonly send: Send
  /** Counts a test of a project. @throws {ApiError} 429 once it has had too many. */
  readonly limitWebhookTests: (project: string) => Promise<void>
}

/** Has somebody try a webhook. */
export function webhookTests(dependencies: Dependencies): Pick<Handlers, 'testWebhook'> {
  const { store } = dependencies
  const test = testsOf(dependencies)
  return {
    testWebhook: async ({ params }, caller) => {
      const { project, webhook } = await findWebhook(store, params, caller)
      return test(webhook, project, caller)
    }
  }
}

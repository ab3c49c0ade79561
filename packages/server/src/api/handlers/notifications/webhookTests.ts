import { getWebhook } from '../../../integrations/webhooks/getWebhook.ts'
import { createWebhookTester } from '../../../integrations/webhooks/webhookTester.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { SafeFetch } from '../../../lib/outbound/safeFetch.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly send: SafeFetch
  /** Counts tests per project. @throws {HttpError} 429 above the limit. */
  readonly limitWebhookTests: (project: string) => Promise<void>
}

/** Handler of webhook tests. */
export function webhookTests(dependencies: Dependencies): Pick<Handlers, 'testWebhook'> {
  const { store } = dependencies
  const test = createWebhookTester(dependencies)
  return {
    testWebhook: async ({ params }, caller) => {
      const { project, webhook } = await getWebhook(store, params, caller)
      return test(webhook, project, caller)
    }
  }
}

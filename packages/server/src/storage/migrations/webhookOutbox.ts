import { randomIdGenerator } from '../../lib/idGenerator.ts'
import type { DocumentData, Migration } from './migration.ts'

/** Version 5: webhooks are enabled and have a secret, and there is an outbox. */
export const webhookOutbox: Migration = (data) => {
  const { webhooks = [], ...rest } = data as DocumentData
  return {
    ...rest,
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      enabled: true,
      secrets: [{ secret: randomIdGenerator.webhookSecret() }]
    })),
    outbox: []
  }
}

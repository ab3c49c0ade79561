import { randomIdGenerator } from '../../lib/idGenerator.ts'
import type { Migration } from './migration.ts'

type Item = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, readonly Item[]>>

/** Version 5: webhooks are called from now on, so each gets a secret; and there is an outbox. */
export const webhookOutbox: Migration = (data) => {
  // Version 4 was written by this program: a list of items for each collection.
  const { webhooks = [], ...rest } = data as Data
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

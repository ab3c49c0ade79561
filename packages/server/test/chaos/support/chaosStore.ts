import { addClients } from '@burgee/testing/apiClients'
import { addAccounts } from '@burgee/testing/browser'
import { toStoreUrl } from '@burgee/testing/harness'
import { attributeFilter, fillStore, type Plan } from '@burgee/testing/plan'
import { openSigningKeys } from '../../../src/identity/keys/signingKeys.ts'
import { randomIdGenerator } from '../../../src/lib/idGenerator.ts'
import { openStore } from '../../../src/storage/open/openStore.ts'

/** The number of writers of each kind. Each changes a feature of its own. */
export const WRITERS = 2

export const PASSWORD = 'a quiet morning on the lake'

/** The address of the person who signs in. */
export const EMAIL = 'ada@example.com'

const numbers = Array.from({ length: WRITERS }, (_, number) => number)

const plan: Plan = {
  settings: {
    edgeDB: { enabled: true },
    // Approvals are on for the writers of change requests, and the administrator bypasses them.
    featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true, defaultReviewers: [] }
  },
  features: [
    { key: 'plain' },
    { key: 'counted' },
    { key: 'by-plan', targets: [{ filters: [attributeFilter('customData.plan', 'pro')] }] },
    ...numbers.flatMap((number) => [{ key: `direct-${number}` }, { key: `reviewed-${number}` }])
  ]
}

/** Fills an empty store with what the writers change: features, API clients and a person. */
export async function fillChaosStore(directory: string): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  await fillStore(store, plan)
  await openSigningKeys(store, { now: Date.now, ids: randomIdGenerator })
  await store.close()
  const roles = [{ role: 'organization_owner' }, { role: 'organization_admin' }] as const
  await addAccounts(directory, { people: [{ email: EMAIL, password: PASSWORD, roles }] })
  const writing = ['project:read', 'feature:read', 'feature:write', 'variation:write', 'variable:write'] as const
  await addClients(directory, { author: writing, reviewer: [...writing, 'feature:publish'] })
}

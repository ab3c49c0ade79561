import { call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'

/** A store with a project, a feature and a user, for tests of backups and transfers. */
export const storePlan = {
  settings: { edgeDB: { enabled: true } },
  environments: { production: {} },
  features: [{ key: 'checkout' }],
  edgeUsers: { ada: { customData: { plan: 'gold' } } }
} as const

/** Creates a feature in the project of the plan. */
export async function createFeature(server: TestServer, key: string): Promise<void> {
  const body = { key, name: key, type: 'release' }
  expect((await call(server, 'createFeature', { params: { project: 'shop' }, body })).status).toBe(201)
}

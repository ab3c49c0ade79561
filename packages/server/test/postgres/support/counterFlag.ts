import { call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'

const project = 'shop'
const feature = 'counter'

/** The parity of a number, which is also the key of the variation that carries it. */
export function parityOf(value: number): 'even' | 'odd' {
  return value % 2 === 0 ? 'even' : 'odd'
}

/** Creates a project with a feature that serves 0. Returns the keys of its environment for production. */
export async function createCounter(at: TestServer): Promise<{ readonly server: string; readonly client: string }> {
  expect((await call(at, 'createProject', { body: { key: project, name: 'Shop' } })).status).toBe(201)
  await createCounterFeature(at)
  const { body: environment } = await call(at, 'getEnvironment', { params: { project, key: 'production' } })
  return { server: environment.sdkKeys.server[0].key, client: environment.sdkKeys.client[0].key }
}

/** Creates the feature in a project that exists. */
export async function createCounterFeature(at: TestServer): Promise<void> {
  const body = {
    key: feature,
    name: 'Counter',
    type: 'release',
    sdkVisibility: { server: true, client: true, mobile: true },
    variables: [{ key: feature, type: 'Number' }],
    ...stateOf(0)
  }
  const created = await call(at, 'createFeature', { params: { project }, body })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
}

/** Makes the feature serve a number, in one change of its variations and of its target. */
export async function serveNumber(at: TestServer, value: number): Promise<void> {
  const changed = await call(at, 'updateFeature', { params: { project, feature }, body: stateOf(value) })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
}

/** Invalidates an SDK key. */
export async function invalidateKey(at: TestServer, key: string): Promise<void> {
  const params = { project, environment: 'production', key }
  expect((await call(at, 'invalidateSdkKey', { params })).status).toBe(200)
}

/** Both variations carry the number, and the target serves the one of its parity: other pairs were never valid. */
function stateOf(value: number) {
  const variations = ['even', 'odd'].map((key) => ({ key, name: key, variables: { [feature]: value } }))
  const target = {
    name: 'Everyone',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: parityOf(value), percentage: 1 }]
  }
  return { variations, configurations: { production: { status: 'active', targets: [target] } } }
}

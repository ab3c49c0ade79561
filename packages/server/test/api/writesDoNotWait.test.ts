import { fillStore, idOf, NOW } from '@burgee/testing/plan'
import { beforeEach, expect, it, vi } from 'vitest'
import { createEditRunner } from '../../src/access/audit/edit.ts'
import type { TokenCaller } from '../../src/access/permissions/caller.ts'
import { serverCaller } from '../../src/access/permissions/serverCaller.ts'
import { deprecatedFeatures } from '../../src/api/handlers/features/deprecatedFeatures.ts'
import { features } from '../../src/api/handlers/features/features.ts'
import { variations } from '../../src/api/handlers/features/variations.ts'
import { audit } from '../../src/api/handlers/organization/audit.ts'
import { metrics } from '../../src/api/handlers/results/metrics.ts'
import { defaultSettings } from '../../src/flags/projects/defaultSettings.ts'
import { ensureOrganization } from '../../src/identity/organizations/ensureOrganization.ts'
import { createInspectProject } from '../../src/insights/staleness/inspectProject.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'

const now = () => NOW
const params = { project: 'shop', feature: 'search' }
const complete = { project: 'shop', feature: 'done' }
const named = { key: 'new', name: 'New' }

const connection = {
  isGone: () => false,
  closed: async () => {},
  network: '127.0.0.1',
  from: { address: '127.0.0.1', origin: '' },
  isConditional: false,
  reauthenticate: () => Promise.reject(new Error('unused'))
}

let store: Store
let caller: TokenCaller
let handlers: ReturnType<typeof handlersOn>
/** The number of calls of the event store, which responds only when `answer` is called. */
let asked: number
let answer: () => void

beforeEach(async () => {
  store = await openStore('memory:')
  const staleness = { ...defaultSettings.staleness, enabled: true }
  const done = { key: 'done', status: 'complete', staticVariation: 'variation-on' } as const
  await fillStore(store, { settings: { staleness }, features: [{ key: 'search' }, done] })
  caller = serverCaller((await ensureOrganization(store, { now, ids: randomIdGenerator })).key)
  asked = 0
  handlers = handlersOn(store)
})

function handlersOn(store: Store) {
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const lastEvaluated = async () => {
    asked += 1
    await held
    return new Map<string, number>()
  }
  const eventStore = { since: NOW, revision: () => 0, lastEvaluated }
  const edit = createEditRunner({ store, ids: randomIdGenerator, now })
  const dependencies = { store, edit, inspect: createInspectProject({ eventStore, now, onError: () => {} }) }
  return {
    ...features(dependencies),
    ...variations(dependencies),
    ...audit(dependencies),
    ...deprecatedFeatures(dependencies),
    ...metrics(dependencies)
  }
}

async function revert(): Promise<unknown> {
  await handlers.updateFeatureSummary({ params, headers: {}, body: { markdown: 'About it.' } }, caller, connection)
  const { items } = await store.collection('auditEntries').list({ where: { _feature: idOf('search') } })
  return handlers.revertFeature({ params: { ...params, entry: items[0]!._id }, query: {} }, caller, connection)
}

async function associate(): Promise<unknown> {
  const metric = { key: 'orders', name: 'Orders', event: 'ordered', dimension: 'COUNT_PER_UNIQUE_USER' } as const
  await handlers.createMetric({ params, body: { ...metric, optimize: 'increase' } }, caller, connection)
  return handlers.createMetricAssociation({ params, body: { metric: 'orders', feature: 'search' } }, caller, connection)
}

it.each<[string, () => unknown]>([
  ['createFeature', () => handlers.createFeature({ params, body: named }, caller, connection)],
  ['createFeatures', () => handlers.createFeatures({ params, body: ['one', 'two'] }, caller, connection)],
  ['updateFeature', () => handlers.updateFeature({ params, headers: {}, body: { name: 'New' } }, caller, connection)],
  [
    'updateFeatureStatus',
    () =>
      handlers.updateFeatureStatus({ params, query: {}, headers: {}, body: { status: 'archived' } }, caller, connection)
  ],
  [
    'updateStaticConfiguration',
    () => handlers.updateStaticConfiguration({ params: complete, headers: {}, body: {} }, caller, connection)
  ],
  [
    'updateFeatureStaleness',
    () => handlers.updateFeatureStaleness({ params, headers: {}, body: { disabled: true } }, caller, connection)
  ],
  ['createVariation', () => handlers.createVariation({ params, body: named }, caller, connection)],
  [
    'updateVariation',
    () =>
      handlers.updateVariation(
        { params: { ...params, key: 'variation-on' }, headers: {}, body: { name: 'New' } },
        caller,
        connection
      )
  ],
  ['killFeature', () => handlers.killFeature({ params }, caller, connection)],
  ['revertFeature', revert],
  ['createMetricAssociation', associate]
])('%s does not delay the next write while the event store is pending', async (_, write) => {
  const answered = write()
  await vi.waitFor(() => expect(asked).toBe(1), 20_000)
  await store.transaction(async () => {})
  answer()
  await answered
  expect(asked).toBe(1)
})

it('a change has the time at which its transaction runs, not the one at which it was queued', async () => {
  let time = NOW
  const edit = createEditRunner({ store, ids: randomIdGenerator, now: () => time })
  const first = store.transaction(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    time = NOW + 1000
  })
  expect(await edit(caller, async ({ at }) => at)).toBe(new Date(NOW + 1000).toISOString())
  await first
})

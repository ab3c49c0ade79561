import { fillStore, NOW } from '@burgee/testing/plan'
import { expect, onTestFinished, test } from 'vitest'
import { createEditRunner } from '../../../src/access/audit/edit.ts'
import { serverCaller } from '../../../src/access/permissions/serverCaller.ts'
import { featureConfigurations } from '../../../src/api/handlers/features/featureConfigurations.ts'
import { features } from '../../../src/api/handlers/features/features.ts'
import { audit } from '../../../src/api/handlers/organization/audit.ts'
import { ensureOrganization } from '../../../src/identity/organizations/ensureOrganization.ts'
import type { InspectProject } from '../../../src/insights/staleness/inspectProject.ts'
import { randomIdGenerator as ids } from '../../../src/lib/idGenerator.ts'
import { openStore } from '../../../src/storage/open/openStore.ts'
import type { Resources } from '../../../src/storage/resources/collections.ts'
import type { Collection, Store } from '../../../src/storage/store.ts'

/** A store that adds the name of each listed collection to `reads`. */
function recordingReads(store: Store, reads: string[]): Store {
  const collection = <K extends keyof Resources>(name: K): Collection<Resources[K]> => {
    const real = store.collection(name)
    const list: typeof real.list = (query) => {
      reads.push(name)
      return real.list(query)
    }
    return { ...real, get: (match) => real.get(match), list }
  }
  return {
    collection,
    transaction: (work) => store.transaction((part) => work(recordingReads(part, reads))),
    subscribe: (listener) => store.subscribe(listener),
    beforeCommit: (hook) => store.beforeCommit(hook),
    auditLog: () => store.auditLog(),
    purgeUserData: () => store.purgeUserData(),
    isWritable: () => store.isWritable(),
    close: () => store.close()
  }
}

/** The handlers of features, and the collections that they list. */
async function openFeatures() {
  const now = () => NOW
  const memory = await openStore('memory:')
  onTestFinished(() => memory.close())
  await fillStore(memory, { features: [{ key: 'checkout' }] })
  const { key: organization } = await ensureOrganization(memory, { now, ids })
  const reads: string[] = []
  const store = recordingReads(memory, reads)
  const edit = createEditRunner({ store, ids, now })
  const inspect: InspectProject = async () => ({ at: NOW, find: () => undefined, productionEnvironments: new Set() })
  const dependencies = { store, edit, inspect }
  return {
    reads,
    caller: serverCaller(organization),
    handlers: { ...features(dependencies), ...featureConfigurations(dependencies), ...audit(dependencies) }
  }
}

const connection = {
  isGone: () => false,
  closed: async () => {},
  network: '127.0.0.1',
  from: { address: '127.0.0.1', origin: '' },
  isConditional: false,
  reauthenticate: () => Promise.reject(new Error('unused'))
}
const params = { project: 'shop', feature: 'checkout' }

type Opened = Awaited<ReturnType<typeof openFeatures>>

const writes: Readonly<Record<string, (opened: Opened) => unknown>> = {
  updateFeature: ({ handlers, caller }) =>
    handlers.updateFeature({ params, headers: {}, body: { name: 'Paying' } }, caller, connection),
  createFeature: ({ handlers, caller }) =>
    handlers.createFeature({ params, body: { key: 'search', name: 'Search' } }, caller, connection),
  updateFeatureStatus: ({ handlers, caller }) =>
    handlers.updateFeatureStatus({ params, query: {}, headers: {}, body: { status: 'archived' } }, caller, connection),
  updateFeatureConfiguration: ({ handlers, caller }) => {
    const query = { environment: 'production' }
    return handlers.updateFeatureConfiguration(
      { params, query, headers: {}, body: { status: 'inactive' } },
      caller,
      connection
    )
  },
  killFeature: ({ handlers, caller }) => handlers.killFeature({ params }, caller, connection)
}

test.each(Object.entries(writes))('%s reads the environments of the project once', async (_name, write) => {
  const opened = await openFeatures()
  await write(opened)
  expect(opened.reads.filter((name) => name === 'environments')).toHaveLength(1)
})

test('revertFeature reads the environments of the project once', async () => {
  const opened = await openFeatures()
  const { handlers, caller, reads } = opened
  await handlers.updateFeature({ params, headers: {}, body: { name: 'Paying' } }, caller, connection)
  const { items } = await handlers.getFeatureAudit({ params, query: {} }, caller, connection)
  reads.length = 0
  await handlers.revertFeature({ params: { ...params, entry: items[0]?._id ?? '' }, query: {} }, caller, connection)
  expect(reads.filter((name) => name === 'environments')).toHaveLength(1)
})

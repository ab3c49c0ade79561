import type { Operations } from '@burgee/contract'
import { type Call, call, serve, type TestServer } from '@burgee/testing/harness'
import { fillStore, type Plan } from '@burgee/testing/plan'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'

const plan: Plan = { settings: { edgeDB: { enabled: true } }, features: [{ key: 'plain' }, { key: 'doomed' }] }

/** Requests of applications and of the dashboard. Lists of the whole audit log count its entries, and are left out. */
const requests: readonly (readonly [keyof Operations, Call])[] = [
  ['listProjects', {}],
  ['listFeatures', {}],
  ['listFeatureSummaries', {}],
  ['getFeature', {}],
  ['updateFeature', { body: { description: 'Another.' } }],
  ['updateFeatureConfiguration', { query: { environment: 'production' }, body: { status: 'inactive' } }],
  ['getFeatureAudit', {}],
  ['listVariables', {}],
  ['listEnvironments', {}],
  ['listAudiences', {}],
  ['createFeature', { body: { key: 'new', name: 'New' } }],
  ['deleteFeature', { params: { feature: 'doomed' } }],
  ['updateEdgeUser', { params: { user_id: 'ada' }, body: { user_id: 'ada', country: 'CA' } }],
  ['evaluateVariables', { body: { user_id: 'ada' }, query: { enableEdgeDB: true } }],
  ['evaluateVariables', { body: { user_id: 'bob' }, query: { enableEdgeDB: true } }]
]

test('requests read no large table as a whole', async () => {
  const url = await temporaryDatabase()
  const store = await openStore(url)
  await fillStore(store, plan)
  await store.close()
  await fillTables(url)
  // The first start also creates what is missing.
  await scansOf(url, [])
  const withoutRequests = await scansOf(url, [])
  const scans = await scansOf(url, requests)
  const more = [...scans].filter(([table, count]) => count > (withoutRequests.get(table) ?? 0))
  expect(scans.size).toBeGreaterThan(5)
  expect(more).toEqual([])
})

/** Starts a server, sends requests, and stops it. Returns the sequential scans of each large table meanwhile. */
async function scansOf(url: string, sent: typeof requests): Promise<ReadonlyMap<string, number>> {
  const before = await readScans(url)
  const server = await serve(url)
  await send(server, [['updateProject', { body: { description: 'The first change reads the end of the audit log.' } }]])
  await send(server, sent)
  // Its connections report their statistics when they end.
  await server.close()
  const after = await readScans(url)
  return new Map([...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)]))
}

async function send(server: TestServer, sent: typeof requests): Promise<void> {
  for (const [id, { params, ...given }] of sent) {
    const all = { key: 'shop', project: 'shop', feature: 'plain', ...params }
    const { status } = await call(server, id, { ...given, params: all })
    expect([id, status < 300]).toEqual([id, true])
  }
}

async function readScans(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = (await runOnServer(
    'select relname as name, seq_scan::int as count from pg_stat_user_tables where n_live_tup >= 3000',
    url
  )) as readonly { readonly name: string; readonly count: number }[]
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Adds 3,000 items of other projects to tables that grow. */
async function fillTables(url: string): Promise<void> {
  const id = "lpad(to_hex(number), 24, '0')"
  const at = "'2026-02-01T00:00:00.000Z'"
  const project = "'_project', 'p' || number % 100"
  const tables = {
    burgee_audit_entries: `${project}, '_organization', 'org_other', '_feature', 'f' || number % 1000, '_environments', '[]'::json, 'idp_user', 'ada', 'changes', '[]'::json, 'sequence', number`,
    burgee_edge_users: `${project}, 'user_id', 'u' || number`,
    burgee_features: `${project}, 'key', 'f' || number`,
    burgee_variables: `${project}, '_feature', 'f' || number, 'key', 'f' || number`,
    burgee_configurations: "'_feature', 'f' || number, '_environment', 'e' || number % 400",
    burgee_change_requests: `${project}, '_feature', 'f' || number, 'status', 'applied'`,
    burgee_authorizations: "'digest', 'd' || number, 'grantId', 'g' || number, 'uid', 'u' || number",
    burgee_opt_ins: "'_environment', 'e' || number % 400, 'user_id', 'u' || number, 'choices', '{}'::json"
  }
  for (const [table, members] of Object.entries(tables)) {
    await runOnServer(
      `insert into ${table} select ${id}, json_build_object('_id', ${id}, 'createdAt', ${at}, 'updatedAt', ${at}, ${members})
      from generate_series(1, 3000) number`,
      url
    )
  }
  await runOnServer('analyze', url)
}

import { createHash, randomBytes } from 'node:crypto'
import { addCleanup } from '@burgee/testing/cleanup'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, inject, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { openPostgresStore } from '../../src/storage/postgres/openPostgresStore.ts'
import { schemaMigrations } from '../../src/storage/postgres/schema/migrateSchema.ts'
import { DuplicateError, type Store, StoreUnreachableError } from '../../src/storage/store.ts'
import { testEdgeUser, testId, testProject } from '../store/conformance/fixtures.ts'

/** Creates a database without tables. */
function newDatabase(): Promise<string> {
  return temporaryDatabase(inject('databaseTemplate').replace(/[^/]+$/, 'template1'))
}

/** Starts on a database as a server with these migrations does. */
async function open(url: string, migrations = schemaMigrations, notices: string[] = []) {
  const store = await openPostgresStore(url, {
    maxConnections: 4,
    pollMs: 1000,
    listens: true,
    random: Math.random,
    encryption: { keys: [] },
    migrations,
    onNotice: (notice) => void notices.push(notice),
    onLost: () => {}
  })
  addCleanup(() => store.close())
  // Other servers wait until then.
  await store.follow()
  return store
}

/** Reads the versions of the migrations that were applied. */
async function appliedVersions(url: string): Promise<readonly number[]> {
  const rows = (await runOnServer('select name from burgee_schema_migrations order by name', url)) as readonly {
    readonly name: string
  }[]
  return rows.map(({ name }) => Number.parseInt(name, 10))
}

const allVersions = schemaMigrations.map((_, index) => index + 1)

/** Leaves a database as it was before version 6, when applied migrations had another table. */
async function recordAsBefore(url: string, versions: number): Promise<void> {
  await runOnServer('drop table if exists burgee_schema_migrations, burgee_schema_lock, burgee_migrations', url)
  await runOnServer(
    'create table burgee_migrations (version int primary key, checksum text not null, applied_at timestamptz not null default now())',
    url
  )
  const checksums = schemaMigrations.slice(0, versions).map((text) => createHash('sha256').update(text).digest('hex'))
  for (const [version, checksum] of ['', ...checksums].entries()) {
    await runOnServer('insert into burgee_migrations values ($1, $2)', url, [version, checksum])
  }
}

test('servers that start at the same time on an empty database create the schema once', async () => {
  const url = await newDatabase()
  const notices: string[] = []
  const stores = await Promise.all(Array.from({ length: 4 }, () => open(url, schemaMigrations, notices)))
  await Promise.all(
    stores.map((store, index) => store.collection('projects').insert(testProject({ key: `k${index}` })))
  )
  expect((await (stores[0] as Store).collection('projects').list()).count).toBe(4)
  expect(await appliedVersions(url)).toEqual(allVersions)
  expect(notices).toEqual([])
})

test('a schema is migrated step by step, and refused by versions that do not know it', async () => {
  const url = await temporaryDatabase()
  const notices: string[] = []
  const next = [...schemaMigrations, 'create table burgee_new (id int)', 'alter table burgee_new add column name text']
  await open(url, next, notices)
  expect(notices).toEqual([
    expect.stringContaining(`was migrated to version ${next.length - 1}`),
    expect.stringContaining(`was migrated to version ${next.length}`)
  ])
  await expect(openStore(url)).rejects.toThrow(
    `has schema version ${next.length}, and this version of Burgee supports versions up to ${schemaMigrations.length}; start the newer version of Burgee that migrated it, or restore a backup`
  )
  const changed = [...next.slice(0, -1), 'select 1']
  await expect(open(url, changed)).rejects.toThrow(
    `was migrated to version ${next.length} by a migration that differs from the one in this version of Burgee`
  )
})

test.each([5, 3])(
  'servers that start together take over migrations up to version %i from the former table',
  async (version) => {
    const url = await newDatabase()
    const earlier = await open(url, schemaMigrations.slice(0, version))
    const { _id } = await earlier.collection('projects').insert(testProject())
    await earlier.close()
    await recordAsBefore(url, version)
    const notices: string[] = []
    const stores = await Promise.all(Array.from({ length: 3 }, () => open(url, schemaMigrations, notices)))
    for (const store of stores) expect(await store.collection('projects').get({ _id })).toBeDefined()
    expect(await appliedVersions(url)).toEqual(allVersions)
    expect(notices.map((notice) => notice.replace(/.* was/, 'was'))).toEqual(
      allVersions.slice(version).map((next) => `was migrated to version ${next}`)
    )
  }
)

test('a migration in the former table that differs from the known one is refused', async () => {
  const url = await temporaryDatabase()
  await recordAsBefore(url, 5)
  await runOnServer("update burgee_migrations set checksum = 'other' where version = 4", url)
  await expect(open(url)).rejects.toThrow('was migrated to version 4 by a migration that differs')
})

test.each([
  ['that they have migrated', true],
  ['that they have never opened', false]
])('versions before version 6 refuse a database %s', async (_, isCarriedOver) => {
  const url = await temporaryDatabase()
  if (isCarriedOver) await recordAsBefore(url, 5)
  await open(url)
  // They support versions up to 5.
  expect(await runOnServer('select max(version) as version from burgee_migrations', url)).toEqual([{ version: 6 }])
})

test('a migration that fails is named, leaves nothing behind, and keeps the earlier ones', async () => {
  const url = await temporaryDatabase()
  const good = [...schemaMigrations, 'create table burgee_new (id int)']
  await expect(open(url, [...good, 'create table burgee_half (id int); select 1 / 0'])).rejects.toThrow(
    `could not be migrated to version ${good.length + 1}: division by zero; the schema has version ${good.length}; fix the cause and start again`
  )
  const tables = "select to_regclass('burgee_new') is not null as earlier, to_regclass('burgee_half') is null as failed"
  expect(await runOnServer(tables, url)).toEqual([{ earlier: true, failed: true }])
  const notices: string[] = []
  await open(url, [...good, 'alter table burgee_new add column name text'], notices)
  expect(notices).toEqual([expect.stringContaining(`was migrated to version ${good.length + 1}`)])
})

test('a connection that is lost during a migration leaves a schema that the next start migrates', async () => {
  const url = await temporaryDatabase()
  const added = 'create table burgee_new (id int)'
  const lost = open(url, [...schemaMigrations, `${added}; select pg_sleep(600)`])
  const refused = expect(lost).rejects.toThrow(StoreUnreachableError)
  const end = () =>
    runOnServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and query like '%pg_sleep(600)' and wait_event = 'PgSleep'`,
      url
    )
  await expect.poll(async () => (await end()).length, { timeout: 10_000 }).toBe(1)
  await refused
  await open(url, [...schemaMigrations, added])
})

test('a start does not depend on the clocks of the servers that applied earlier migrations', async () => {
  const url = await temporaryDatabase()
  const ahead = "update burgee_schema_migrations set timestamp = '2100-01-01T00:00:00.000Z' where name like '0001-%'"
  await runOnServer(ahead, url)
  await open(url, [...schemaMigrations, 'create table burgee_new (id int)'])
  expect(await appliedVersions(url)).toEqual([...allVersions, allVersions.length + 1])
})

test('stores in two schemas of one database are migrated independently', async () => {
  const url = await newDatabase()
  await open(url)
  await runOnServer('create schema other', url)
  const other = await open(`${url}?options=-c%20search_path%3Dother`)
  await other.collection('projects').insert(testProject())
  expect(await runOnServer('select count(*)::int as count from other.burgee_projects', url)).toEqual([{ count: 1 }])
  expect(await runOnServer('select count(*)::int as count from public.burgee_projects', url)).toEqual([{ count: 0 }])
})

test('version 4 makes ids of users unique at any length', async () => {
  const own = await newDatabase()
  const earlier = await open(own, schemaMigrations.slice(0, 3))
  const stored = ['ada', 'C:\\ada\\', 'ädä 😀'].map((user_id) => testEdgeUser({ user_id }))
  for (const user of stored) await earlier.collection('edgeUsers').insert(user)
  await earlier.close()
  const store = await open(own)
  const users = store.collection('edgeUsers')
  // Index entries are compressed, which random texts resist.
  const long = testEdgeUser({ user_id: `\\x${randomBytes(9000).toString('base64url')}` })
  await users.insert(long)
  for (const user of [...stored, long]) {
    const { _project, user_id } = user
    expect(await users.get({ _project, user_id })).toEqual(user)
    expect((await users.list({ oneOf: { user_id: [user_id, 'nobody'] } })).items).toEqual([user])
    await expect(users.insert(testEdgeUser({ user_id }))).rejects.toThrow(DuplicateError)
  }
  const optIns = store.collection('optIns')
  const { createdAt, updatedAt, user_id } = long
  const choice = (number: number) => {
    return { _id: testId(number), createdAt, updatedAt, _environment: testId(2), user_id, choices: {} }
  }
  await optIns.insert(choice(3))
  await expect(optIns.insert(choice(4))).rejects.toThrow(DuplicateError)
})

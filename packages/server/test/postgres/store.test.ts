import { type AddressInfo, createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { addCleanup } from '@burgee/testing/cleanup'
import { emptyDatabase, runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEditRunner } from '../../src/access/audit/edit.ts'
import { verifyAuditLog } from '../../src/access/audit/verifyChain.ts'
import { serverCaller } from '../../src/access/permissions/serverCaller.ts'
import { ensureOrganization } from '../../src/identity/organizations/ensureOrganization.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { createItemCodec } from '../../src/storage/encryption/itemCodec.ts'
import { openAuditLog } from '../../src/storage/open/openAuditLog.ts'
import { type OpenStoreOptions, openStore } from '../../src/storage/open/openStore.ts'
import { Database } from '../../src/storage/postgres/connection/database.ts'
import { LocalLocks } from '../../src/storage/postgres/connection/localLocks.ts'
import { TransactionSession } from '../../src/storage/postgres/connection/transactionSession.ts'
import { ItemTable, type RunStatement } from '../../src/storage/postgres/itemTable.ts'
import { tableOf } from '../../src/storage/postgres/schema/tableNames.ts'
import { selectAll, selectCount, selectFirst, selectPage } from '../../src/storage/postgres/sql/select.ts'
import { type Resources, secondaryIndexes, uniqueKeys } from '../../src/storage/resources/collections.ts'
import { type Store, type StoreLostError, StoreUnavailableError } from '../../src/storage/store.ts'
import { testEdgeUser, testId, testProject, testVariable } from '../store/conformance/fixtures.ts'

let database: string | undefined
let url: string
beforeEach(async () => {
  database ??= await temporaryDatabase()
  url = await emptyDatabase(database)
})

/** Opens the store of the database as one of several servers does. */
async function open(options: OpenStoreOptions = {}): Promise<Store> {
  const store = await openStore(url, options)
  await store.follow()
  addCleanup(() => store.close())
  return store
}

/** Ends all other connections to the database. */
function endConnections(): Promise<readonly unknown[]> {
  return runOnServer(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    url
  )
}

/** Serves a database that ends each connection with an error: by default after it has accepted it, in the same packet. */
async function serveErrors(code: string, { accepts = true } = {}): Promise<number> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const error = `SFATAL\0C${code}\0Mthe connection was ended\0\0`
  const accepted = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]
  const response = [...(accepts ? accepted : []), message('E', Buffer.from(error))]
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat(response)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return (server.address() as AddressInfo).port
}

describe('the schema', () => {
  test('has a table for each collection, with an index for each unique key and each secondary index', async () => {
    const rows = (await runOnServer(
      "select tablename, indexdef from pg_indexes where schemaname = 'public'",
      url
    )) as readonly { readonly tablename: string; readonly indexdef: string }[]
    const columnsOf = (indexdef: string) => [...indexdef.matchAll(/data ->> '(\w+)'/g)].map(([, member]) => member)
    const missing = (Object.keys(uniqueKeys) as (keyof Resources)[]).flatMap((name) => {
      const indexes = rows.filter(({ tablename }) => tablename === tableOf(name))
      const find = (isUnique: boolean, members: readonly string[]) =>
        indexes.some(({ indexdef }) => {
          return indexdef.includes('UNIQUE') === isUnique && columnsOf(indexdef).join() === members.join()
        })
      const unique = uniqueKeys[name].filter((members) => !find(true, members))
      const secondary = secondaryIndexes[name].filter((member) => !find(false, [member]))
      if (indexes.length === 0) return [`the table of ${name}`]
      return [...unique, ...secondary].map((index) => `${name} ${index}`)
    })
    expect(missing).toEqual([])
  })

  test('answers selections by unique keys and secondary indexes without reading the whole table', async () => {
    await runOnServer(
      `insert into burgee_variables select lpad(to_hex(number), 24, '0'),
      json_build_object('_project', 'p' || number % 100, 'key', 'v' || number, '_feature', 'f' || number % 100)
      from generate_series(1, 20000) number`,
      url
    )
    await runOnServer(
      `insert into burgee_edge_users select lpad(to_hex(number), 24, '0'),
      json_build_object('_project', 'p' || number % 100, 'user_id', 'u' || number) from generate_series(1, 20000) number`,
      url
    )
    await runOnServer('analyze burgee_variables, burgee_edge_users', url)
    const statements = [
      selectFirst('variables', { _id: testId(1) }),
      selectFirst('variables', { _project: 'p1', key: 'v1' }),
      selectFirst('variables', { _feature: 'f1' }),
      selectFirst('edgeUsers', { _project: 'p1', user_id: 'u1' }),
      selectAll('variables', { where: { _project: 'p1' }, sortBy: 'createdAt' }),
      selectPage('variables', { where: { _project: 'p1' }, sortBy: 'createdAt', perPage: 10 }),
      selectPage('variables', { oneOf: { _feature: ['f1', 'f2'] }, firstOf: '_feature', sortBy: 'name', perPage: 2 }),
      selectCount('variables', { where: { _project: 'p1' } })
    ]
    for (const { text, values } of statements) {
      const plan = JSON.stringify(await runOnServer(`explain ${text}`, url, values))
      expect(plan).toContain('Index')
      expect(plan).not.toContain('Seq Scan')
    }
  })
})

test('a scan has few items in memory, and skips those that are removed meanwhile', async () => {
  await runOnServer(
    `insert into burgee_audit_entries select lpad(to_hex(number), 24, '0'),
    json_build_object('_id', lpad(to_hex(number), 24, '0'), '_project', 'p', 'sequence', number)
    from generate_series(1, 1200) number`,
    url
  )
  const sizes: number[] = []
  const run: RunStatement = async (text, values) => {
    const rows = (await runOnServer(text, url, values)) as Awaited<ReturnType<RunStatement>>
    if (rows.some(({ data }) => data !== undefined)) sizes.push(rows.length)
    return rows
  }
  const found: number[] = []
  const table = new ItemTable('auditEntries', createItemCodec([], undefined), run)
  for await (const { sequence = 0 } of table.scan({
    where: { _project: 'p' },
    sortBy: 'sequence',
    sortOrder: 'desc'
  })) {
    if (found.length === 0) await runOnServer(`delete from burgee_audit_entries where id = '${testId(1)}'`, url)
    found.push(sequence)
  }
  expect(found).toEqual(Array.from({ length: 1199 }, (_, index) => 1200 - index))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
})

test('reads of a transaction that start together run one after another, as the driver requires', async () => {
  const warnings: Error[] = []
  const add = (warning: Error) => void warnings.push(warning)
  process.on('warning', add)
  addCleanup(() => void process.off('warning', add))
  const store = await open()
  await store.transaction(async (inside) => {
    const names = ['projects', 'features', 'variables'] as const
    await inside.collection('projects').insert(testProject())
    const lists = await Promise.all(names.map((name) => inside.collection(name).list()))
    expect(lists.map(({ count }) => count)).toEqual([1, 0, 0])
  })
  // Node.js emits warnings in the next turn.
  await setImmediate()
  expect(warnings.filter(({ message }) => message.includes('client.query'))).toEqual([])
})

describe('several servers on one database', () => {
  test('lose no update of each other', async () => {
    const stores = [await open(), await open(), await open()]
    const { _id } = await (stores[0] as Store).collection('projects').insert(testProject({ name: '0' }))
    const increment = (store: Store) =>
      store.transaction(async (inside) => {
        const { name } = (await inside.collection('projects').get({ _id })) ?? testProject()
        await inside.collection('projects').update(_id, { name: String(Number(name) + 1) })
      })
    await Promise.all(Array.from({ length: 30 }, (_, index) => increment(stores[index % 3] as Store)))
    expect((await stores[1]?.collection('projects').get({ _id }))?.name).toBe('30')
  })

  test('do not deadlock when one writes flags after it read user data, and another the reverse', async () => {
    const stores = [await open(), await open()]
    const { _id } = await (stores[0] as Store).collection('projects').insert(testProject({ name: '0' }))
    const flagsLast = (store: Store) =>
      store.transaction(async (inside) => {
        await inside.collection('edgeUsers').list()
        const { name } = (await inside.collection('projects').get({ _id })) ?? testProject()
        await inside.collection('projects').update(_id, { name: String(Number(name) + 1) })
      })
    const usersLast = (store: Store) =>
      store.transaction(async (inside) => {
        await inside.collection('projects').get({ _id })
        await inside.collection('edgeUsers').insert(testEdgeUser())
      })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 4 < 2 ? flagsLast : usersLast)(stores[index % 2] as Store))
    )
    expect((await stores[0]?.collection('projects').get({ _id }))?.name).toBe('10')
    expect((await stores[0]?.collection('edgeUsers').list())?.count).toBe(10)
  })

  test('let one of several insertions of a key win', async () => {
    const stores = [await open(), await open()]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        (stores[index % 2] as Store).collection('projects').insert(testProject({ key: 'shop' }))
      )
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a lost connection', () => {
  test('does not fail a later read or write', async () => {
    const store = await open()
    await store.collection('projects').insert(testProject({ key: 'shop' }))
    await endConnections()
    expect(await store.collection('projects').get({ key: 'shop' })).toBeDefined()
    await endConnections()
    expect(await store.collection('projects').insert(testProject())).toBeDefined()
  })

  test('does not fail a read if several connections are lost at once', async () => {
    const store = await open()
    await store.collection('projects').insert(testProject({ key: 'shop' }))
    const read = () => store.collection('projects').get({ key: 'shop' })
    for (let outage = 0; outage < 5; outage++) {
      await Promise.all([read(), read(), read(), read()])
      const ended = endConnections()
      // The pool does not know yet which connections have ended.
      const early = await Promise.allSettled(Array.from({ length: 20 }, read))
      await ended
      expect(early.filter(({ status }) => status === 'rejected')).toEqual([])
      expect(await read()).toBeDefined()
    }
  })

  test.each([
    { when: 'as soon as it is open', port: () => serveErrors('57P01') },
    // The file that a new connection writes does not fit on the disk.
    { when: 'when it is opened, by an internal error', port: () => serveErrors('XX000', { accepts: false }) }
  ])('does not end the process if it is lost $when', async (given) => {
    const port = await given.port()
    const database = await Database.create(`postgres://burgee@127.0.0.1:${port}/burgee`, {
      maxConnections: 2,
      onNotice: () => {}
    })
    addCleanup(() => database.close())
    await expect(database.read('select 1')).rejects.toThrow(StoreUnavailableError)
    await expect(database.transaction((client) => client.query('select 1'))).rejects.toThrow(StoreUnavailableError)
    await expect(database.write('select 1')).rejects.toThrow(StoreUnavailableError)
  })

  test('repeats a transaction that it interrupts before the commit', async () => {
    const store = await open()
    let runs = 0
    await store.transaction(async (inside) => {
      runs++
      await inside.collection('projects').insert(testProject({ key: 'shop' }))
      if (runs === 1) await endConnections()
      await inside.collection('variables').insert(testVariable())
    })
    expect(runs).toBeGreaterThan(1)
    expect([
      (await store.collection('projects').list()).count,
      (await store.collection('variables').list()).count
    ]).toEqual([1, 1])
  })

  test('fails writes with StoreUnavailableError while the database refuses connections, and writes succeed later', async () => {
    const notices: string[] = []
    const store = await open({ onNotice: (notice) => void notices.push(notice) })
    const name = new URL(url).pathname.slice(1)
    await runOnServer(`alter database ${name} allow_connections false`)
    await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    try {
      await expect(store.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
      await expect(store.collection('projects').list()).rejects.toThrow(StoreUnavailableError)
      expect(store.isWritable()).toBe(false)
    } finally {
      await runOnServer(`alter database ${name} allow_connections true`)
    }
    expect(await store.collection('projects').insert(testProject())).toBeDefined()
    await expect.poll(() => store.isWritable()).toBe(true)
    expect(notices.join('\n')).not.toContain('burgee:burgee')
  })
})

describe('a database that was restored while servers run', () => {
  /** Restores the state before the last changes. */
  async function restore(count: number): Promise<void> {
    const back = `select revision - ${count} from burgee_locks where name = 'flags'`
    await runOnServer(`delete from burgee_projects; delete from burgee_changes where revision > (${back})`, url)
    await runOnServer(`update burgee_locks set revision = (${back}) where name = 'flags'`, url)
  }

  test('is noticed by a server that only follows', async () => {
    const losses: StoreLostError[] = []
    const store = await open({ pollMs: 20, listens: false, onLost: (error) => void losses.push(error) })
    for (let count = 0; count < 2; count++) await store.collection('projects').insert(testProject())
    await restore(1)
    await expect.poll(() => losses.length).toBe(1)
    expect(store.isWritable()).toBe(false)
  })

  test('gets no change of a server that has not noticed it', async () => {
    const losses: StoreLostError[] = []
    const store = await open({ pollMs: 600_000, listens: false, onLost: (error) => void losses.push(error) })
    for (let count = 0; count < 2; count++) await store.collection('projects').insert(testProject())
    await restore(2)
    const writing = store.collection('projects').insert(testProject())
    await expect(writing).rejects.toThrow(StoreUnavailableError)
    expect(losses).toHaveLength(1)
    expect(await runOnServer('select 1 from burgee_projects', url)).toEqual([])
  })
})

describe('encryption', () => {
  const keys = (...bytes: readonly string[]) => parseEncryptionKeys(bytes.map((byte) => byte.repeat(32)).join())
  const tracker = (token: string) => ({
    ...testProject(),
    tracker: 'jira',
    token,
    baseUrl: 'https://jira.example.com',
    _organization: 'organization'
  })

  test('keeps secrets out of the database, and finds and compares them all the same', async () => {
    const store = await open({ encryption: { keys: keys('0a') } })
    await store.collection('issueTrackers').insert(tracker('very-secret'))
    expect(await store.collection('issueTrackers').get({ tracker: 'jira', token: 'very-secret' })).toBeDefined()
    await expect(store.collection('issueTrackers').insert(tracker('very-secret'))).rejects.toThrow('already has')
    expect(JSON.stringify(await runOnServer('select data from burgee_issue_trackers', url))).not.toContain(
      'very-secret'
    )
  })

  test('encrypts a database at the start, with another key later, and removes it on request', async () => {
    await (await open()).collection('issueTrackers').insert(tracker('very-secret'))
    const read = async (options: OpenStoreOptions) => {
      const store = await openStore(url, options)
      const { items } = await store.collection('issueTrackers').list()
      await store.close()
      return items[0]?.token
    }
    const text = async () =>
      JSON.stringify(
        await runOnServer('select data from burgee_issue_trackers union all select writes from burgee_changes', url)
      )
    expect(await read({ encryption: { keys: keys('0a') } })).toBe('very-secret')
    expect(await text()).not.toContain('very-secret')
    expect(await read({ encryption: { keys: keys('0b', '0a'), change: 'newDataKey' } })).toBe('very-secret')
    await expect(openStore(url, { encryption: { keys: keys('0a') } })).rejects.toThrow('is encrypted with key')
    expect(await read({ encryption: { keys: keys('0b'), change: 'remove' } })).toBe('very-secret')
    expect(await text()).toContain('very-secret')
  })
})

describe('the audit log', () => {
  async function withEntries(): Promise<{ readonly store: Store; readonly organization: string }> {
    const store = await open()
    const parts = { now: Date.now, ids: randomIdGenerator }
    const { key } = await ensureOrganization(store, parts)
    const edit = createEditRunner({ store, ...parts })
    for (let number = 0; number < 3; number++) {
      await edit(serverCaller(key), async ({ recordChanges }) =>
        recordChanges({}, [{ type: 'modifiedOrganization', newContents: { number }, previousContents: null }])
      )
    }
    return { store, organization: key }
  }

  test('is verified from the database, with and without a server', async () => {
    const { store, organization } = await withEntries()
    const intact = { isIntact: true, entries: 3 }
    expect(await verifyAuditLog(await store.auditLog(), organization)).toMatchObject(intact)
    expect(await verifyAuditLog(await openAuditLog(url), organization)).toMatchObject(intact)
  })

  test('reveals changed, removed and added entries', async () => {
    const { store, organization } = await withEntries()
    const verify = async () => verifyAuditLog(await store.auditLog(), organization)
    const [{ text }] = (await runOnServer(
      "select data::text as text from burgee_audit_entries where data->>'position' = '2'",
      url
    )) as [{ text: string }]
    const literal = (json: string) => `'${json.replaceAll("'", "''")}'`
    const write = (json: string) =>
      runOnServer(`update burgee_audit_entries set data = ${literal(json)} where data->>'position' = '2'`, url)
    await write(text.replace('"number":1', '"number":7'))
    expect(await verify()).toMatchObject({ isIntact: false, broken: { position: 2 } })
    await write(text)
    expect(await verify()).toMatchObject({ isIntact: true })
    const added = text.replace('"position":2', '"position":4').replace(/"_id":"\w+"/, `"_id":"${testId(9)}"`)
    await runOnServer(`insert into burgee_audit_entries values ('${testId(9)}', ${literal(added)})`, url)
    expect(await verify()).toMatchObject({ isIntact: true, uncounted: { lines: 1 } })
    await runOnServer("delete from burgee_audit_entries where data->>'position' in ('3', '4')", url)
    expect(await verify()).toMatchObject({ isIntact: false, broken: { position: 3 } })
  })
})

test.each([
  ['postgres://ada:hunter2@127.0.0.1:1/flags', '127.0.0.1:1/flags cannot be opened as a store'],
  ['postgres://ada:hunter2@', 'cannot be opened as a store']
])('names the database and not the password of %s when it cannot be opened', async (address, message) => {
  const error = await openStore(address).catch(String)
  expect(error).toContain(message)
  expect(error).not.toContain('hunter2')
})

test('a transaction that ends while it waits for a lock of its process does not keep the lock', async () => {
  const connection = await Database.create(url, { maxConnections: 2, onNotice: () => {} })
  addCleanup(() => connection.close())
  const locks = new LocalLocks()
  const begin = () => new TransactionSession(connection, locks, { takesAll: false, since: connection.now() })
  const free = await locks.acquire('flags', 1_000)
  const ended = begin()
  const waiting = ended.use('flags').catch(String)
  await ended.end()
  free()
  expect(await waiting).toContain('ended before it got the lock')
  const next = await locks.acquire('flags', 1_000)
  next()
})

import { type AddressInfo, createServer } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { runOnServer, temporaryDatabase, withName } from '@burgee/testing/postgres/testDatabase'
import { expect, inject, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { Database, type DatabaseOptions } from '../../src/storage/postgres/connection/database.ts'
import { LocalLocks } from '../../src/storage/postgres/connection/localLocks.ts'
import { TransactionSession } from '../../src/storage/postgres/connection/transactionSession.ts'
import { limitedDatabase } from './support/limitedRole.ts'

async function open(url: string, maxConnections: number, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await Database.create(url, { maxConnections, onNotice: () => {}, ...options })
  addCleanup(() => database.close())
  return database
}

test('refused connections are reported once, and again in a later outage', async () => {
  const limited = await limitedDatabase(1)
  const notices: string[] = []
  let elapsed = 0
  const database = await open(limited.url, 2, {
    onNotice: (message) => void notices.push(message),
    now: () => performance.now() + elapsed
  })
  const refusals = () => notices.filter((message) => message.includes('refuses further connections')).length
  /** Reads while another connection is in use. Returns the number of open ones. */
  const readBeside = async () => {
    const first = await database.begin()
    const read = database.read<{ open: number }>(
      'select count(*)::int as open from pg_stat_activity where usename = current_user'
    )
    await first.query('rollback')
    database.release(first, { isIntact: true })
    return (await read)[0]?.open
  }
  expect(await readBeside()).toBe(1)
  expect(await readBeside()).toBe(1)
  expect(refusals()).toBe(1)

  await limited.limit(-1)
  elapsed = 120_000
  await expect.poll(readBeside, { timeout: 10_000 }).toBe(2)
  await limited.limit(1, { endsAll: true })
  await expect.poll(readBeside, { timeout: 10_000 }).toBe(1)
  await expect.poll(refusals).toBe(2)
}, 30_000)

test.each<[string, 'flags' | 'users', 'flags' | 'users', string]>([
  ['waits too long for a lock of this server', 'flags', 'users', 'earlier transactions did not finish in time'],
  ['takes its locks in the wrong order', 'users', 'flags', 'needs the lock of flags']
])('a transaction that %s returns its connection', async (_, first, second, message) => {
  const database = await open(await temporaryDatabase(), 1)
  const local = new LocalLocks()
  const findConnection = async () => (await database.read<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid
  const before = await findConnection()
  const release = await local.acquire(second, 1_000)
  // It may wait for locks for 30 seconds.
  const session = new TransactionSession(database, local, { takesAll: false, since: database.now() - 29_900 })
  await session.use(first)
  await expect(session.lock(second)).rejects.toThrow(message)
  await session.end()
  release()
  expect(await findConnection()).toBe(before)
  // It is in no transaction.
  const [row] = await database.read<{ now: boolean }>('select now() = statement_timestamp() as now')
  expect(row?.now).toBe(true)
})

test.each([
  ['postgres://ada:secret@one,two/flags', 'one,two'],
  ['postgres://ada:secret@one:5432,two:5433/flags', 'one:5432,two:5433'],
  ['postgres:///flags?host=one,two&user=ada', 'one,two'],
  ['postgres://ada:secret@one/flags?port=5432,5433', '5432,5433']
])('%s is refused, because it has several hosts or ports', async (url, list) => {
  const refusal = `${list} names several hosts or ports, which are not supported; specify one that always leads to the primary`
  await expect(Database.create(url, { maxConnections: 1, onNotice: () => {} })).rejects.toThrow(refusal)
})

test.each([
  ['postgres://ada:a,b@one/flags', 'one:5432/flags'],
  ['postgres:///flags?host=one&port=5433', 'one:5433/flags'],
  ['postgres://one/flags?options=-c%20search_path%3Da,b', 'one:5432/flags']
])('%s names one database', async (url, name) => {
  expect((await open(url, 1)).name).toBe(name)
})

test.each([
  ['postgres://ada:p#w@127.0.0.1/flags', 'postgres://…@127.0.0.1/flags cannot be opened as a store: Invalid URL; use'],
  ['postgres://ada:p#w@127.0.0.1/flags', 'percent-encoded, such as %23 for #'],
  [
    'postgres://ada:secret@127.0.0.1:99999/flags',
    'postgres://…@127.0.0.1:99999/flags has the port 99999; specify a port from 1 to 65535'
  ],
  ['postgres://ada:secret@127.0.0.1:1/flags', 'ECONNREFUSED 127.0.0.1:1; check its address, and that it runs']
])('%s cannot be opened, and the message says what would be right', async (url, remedy) => {
  await expect(openStore(url)).rejects.toThrow(remedy)
})

test('a database that is starting up should be waited for', async () => {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.from('E0000')
  head.writeInt32BE(body.length + 4, 1)
  const starting = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([head, body])))
  })
  addCleanup(() => starting.close())
  await new Promise<void>((resolve) => starting.listen(0, '127.0.0.1', resolve))
  const { port } = starting.address() as AddressInfo
  await expect(openStore(`postgres://ada@127.0.0.1:${port}/flags`)).rejects.toThrow(
    'is starting up; wait until it accepts connections, and try again'
  )
})

test.each([
  [
    'a missing database',
    (url: URL) => (url.pathname = '/missing'),
    'does not exist; create the database, or correct its name'
  ],
  ['a wrong password', (url: URL) => (url.password = 'wrong'), '; check the user and the password'],
  ['TLS that it lacks', (url: URL) => (url.search = 'sslmode=verify-full'), '; remove sslmode from the address'],
  [
    'a missing certificate',
    (url: URL) => (url.search = 'sslmode=verify-full&sslrootcert=/missing.pem'),
    "'/missing.pem'; correct the file"
  ]
])('an address with %s cannot be opened, and the message says what would be right', async (_, change, remedy) => {
  const url = new URL((await limitedDatabase(10)).url)
  change(url)
  await expect(openStore(url.href)).rejects.toThrow(remedy)
})

test('a user without the right to create tables is named as the reason', async () => {
  const { url } = await limitedDatabase(10)
  const notices: string[] = []
  const { pathname, username } = new URL(url)
  const first = await openStore(url)
  await first.follow()
  await first.close()
  await runOnServer(`alter database ${pathname.slice(1)} owner to current_user`)
  await runOnServer(
    `revoke create on schema public from public, ${username}`,
    withName(inject('databaseUrl'), pathname.slice(1))
  )
  const store = await openStore(url, { onNotice: (message) => void notices.push(message) })
  addCleanup(() => store.close())
  await store.follow()
  await expect
    .poll(() => notices.join())
    .toContain('cannot be written: its user may not create tables: permission denied for schema public')
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, test, vi } from 'vitest'
import { Database } from '../../src/storage/postgres/connection/database.ts'
import { LocalLocks } from '../../src/storage/postgres/connection/localLocks.ts'
import { TransactionSession } from '../../src/storage/postgres/connection/transactionSession.ts'

/** Starts a server that refuses each connection, as PostgreSQL does at `max_connections`. */
async function startFullServer() {
  const fields = 'SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0'
  const refusal = Buffer.alloc(5 + fields.length)
  refusal.write('E', 0)
  refusal.writeInt32BE(4 + fields.length, 1)
  refusal.write(fields, 5)
  let attempts = 0
  const server = createServer((socket) => {
    attempts += 1
    socket.on('error', () => {}).once('data', () => socket.end(refusal))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  addCleanup(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `postgres://ada@127.0.0.1:${port}/flags?sslmode=disable`, attempts: () => attempts }
}

test('reads fail at once when the database refuses all connections, without trying again', async () => {
  const full = await startFullServer()
  const database = await Database.create(full.url, { maxConnections: 10, onNotice: () => {} })
  addCleanup(() => database.close())
  const reads = await Promise.allSettled(Array.from({ length: 10 }, () => database.read('select 1')))
  expect(reads.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
  // `read` tries each connection that could be open, and one more.
  expect(full.attempts()).toBeLessThanOrEqual(10 * 11)
})

async function open(url: string, maxConnections: number, notices: string[] = []): Promise<Database> {
  const database = await Database.create(url, { maxConnections, onNotice: (message) => notices.push(message) })
  addCleanup(() => database.close())
  return database
}

test('refused connections are reported once, and again in a later outage', async () => {
  const url = await temporaryDatabase()
  const role = new URL(url).pathname.slice(1)
  await runOnServer(`create role ${role} login password 'secret' connection limit 1`)
  addCleanup(() => runOnServer(`drop role ${role}`))
  const address = new URL(url)
  address.username = role
  address.password = 'secret'
  const notices: string[] = []
  const database = await open(address.href, 2, notices)
  const refusals = () => notices.filter((message) => message.includes('refuses further connections')).length
  /** Reads while another connection is in use. Returns the number of open ones. */
  const readBeside = async () => {
    const first = await database.begin()
    const read = database.read<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity where usename = '${role}'`
    )
    await first.query('rollback')
    database.release(first, { isIntact: true })
    return (await read)[0]?.open
  }
  expect(await readBeside()).toBe(1)
  expect(await readBeside()).toBe(1)
  expect(refusals()).toBe(1)

  await runOnServer(`alter role ${role} connection limit -1`)
  const start = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + 120_000)
  addCleanup(() => clock.mockRestore())
  await expect.poll(readBeside, { timeout: 10_000 }).toBe(2)
  await runOnServer(`alter role ${role} connection limit 1`)
  await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
  await expect.poll(readBeside, { timeout: 10_000 }).toBe(1)
  await expect.poll(refusals).toBe(2)
  clock.mockRestore()
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
  const session = new TransactionSession(database, local, {
    takesAll: false,
    lockDeadline: performance.now() + 100
  })
  await session.use(first)
  await expect(session.lock(second)).rejects.toThrow(message)
  await session.end()
  release()
  expect(await findConnection()).toBe(before)
  // It is in no transaction.
  const [row] = await database.read<{ now: boolean }>('select now() = statement_timestamp() as now')
  expect(row?.now).toBe(true)
})

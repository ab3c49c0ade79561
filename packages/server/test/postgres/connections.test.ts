import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, test } from 'vitest'
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

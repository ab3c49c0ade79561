import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { expect, test } from 'vitest'
import { Database } from '../../../src/storage/postgres/connection/database.ts'

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

test('reads fail when the database refuses all connections for some time, in which few are tried', async () => {
  const full = await startFullServer()
  const database = await Database.create(full.url, { maxConnections: 10, onNotice: () => {} })
  addCleanup(() => database.close())
  const reads = await Promise.allSettled(Array.from({ length: 10 }, () => database.read('select 1')))
  expect(reads.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
  // Each read tries once, and then one or two of them together, a few times a second.
  expect(full.attempts()).toBeLessThanOrEqual(10 + 2 * 20)
})

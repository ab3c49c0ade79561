import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { type ApiResponse, options, send, storeOnDisk } from '@burgee/testing/harness'
import { keyOf, type Plan } from '@burgee/testing/plan'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { RunningServer } from '../../src/composition/runningServer.ts'
import { startServer } from '../../src/server.ts'
import { StoreLockedError, StoreLostError } from '../../src/storage/store.ts'

const plan: Plan = { settings: { edgeDB: { enabled: true } }, features: [{ key: 'plain' }] }
const lockTimings = { heartbeatMs: 100, staleMs: 15_000 }

async function start(directory: string): Promise<RunningServer & { port: number; logs: readonly string[] }> {
  const logs: string[] = []
  const server = await startServer(
    { ...options, store: `file:${directory}` },
    { log: pino({}, { write: (line) => void logs.push(line) }), lockTimings }
  )
  addCleanup(server.close)
  return { ...server, logs, port: Number(new URL(server.url).port) }
}

/** Replaces the lock of a server, as a process that takes over does. */
async function takeLock(directory: string): Promise<string> {
  const lock = join(directory, 'db.json.lock')
  await writeFile(`${lock}.new`, JSON.stringify(owner))
  await rename(`${lock}.new`, lock)
  return lock
}

/** A process of another container. */
const owner = { startId: 'other', pid: process.pid, host: 'c0ffee', bootId: '', pidNamespace: '', startedAt: '1' }

function post(server: { port: number }, path: string, body: object): Promise<ApiResponse> {
  const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
  return send(server, { method: 'POST', path, headers, body: JSON.stringify(body) })
}

it('a server whose store was taken over becomes unready, refuses writes and events, and stops', async () => {
  const directory = await storeOnDisk(plan, Date.now())
  const first = await start(directory)
  expect((await send(first, { path: '/readyz' })).status).toBe(200)
  // A server that starts here would take longer on a busy computer than the first one stays unready.
  const lock = await takeLock(directory)
  const ready = async () => (await send(first, { path: '/readyz' })).body
  await expect
    .poll(ready, { interval: 20 })
    .toEqual({ status: 'unavailable', message: expect.stringMatching(/db\.json\.lock was taken over by process \d+/) })
  const events = { user: { user_id: 'ada' }, events: [{ type: 'bought' }] }
  const [write, track] = await Promise.all([
    send(first, {
      method: 'PATCH',
      path: '/v1/edgedb/ada',
      headers: { authorization: keyOf('server'), 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: 'ada', country: 'CA' })
    }),
    post(first, '/v1/track', events)
  ])
  expect([write.status, track.status]).toEqual([503, 503])

  const error = await first.closed
  expect(error).toBeInstanceOf(StoreLostError)
  expect(error?.message).toContain('run one server per directory')
  await expect(send(first, { path: '/livez' })).rejects.toThrow()
  // The uses of the key were not stored: the message must not promise another attempt.
  expect(first.logs.filter((line) => line.includes('use of SDK keys'))).toEqual([expect.stringContaining('is lost')])
  expect(first.logs.filter((line) => line.includes('retried'))).toEqual([])

  await rm(lock)
  const second = await start(directory)
  expect((await send(second, { path: '/readyz' })).status).toBe(200)
  expect((await post(second, '/v1/track', events)).status).toBe(201)
  expect(JSON.parse(await readFile(lock, 'utf8')).host).not.toBe(owner.host)
  await second.close()
  expect(await second.closed).toBeUndefined()
})

it('a server does not start on a directory whose lock another container renews, even if both are process 1', async () => {
  const directory = await storeOnDisk(plan, Date.now())
  const lock = join(directory, 'db.json.lock')
  await writeFile(lock, JSON.stringify(owner))
  const beating = setInterval(() => void writeFile(lock, JSON.stringify(owner)), 100)
  try {
    const starting = start(directory)
    await expect(starting).rejects.toThrow(StoreLockedError)
    await expect(starting).rejects.toThrow(/is held by process \d+ on host c0ffee, which is running/)
  } finally {
    clearInterval(beating)
  }
})

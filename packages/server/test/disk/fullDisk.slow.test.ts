import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, options as defaults, storeOnDisk, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { fillStore } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { fillDisk, mountSmallDisk, NEEDS_MOUNT } from '@burgee/testing/system/smallDisk'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { openEventQueue } from '../../src/storage/events/queue/eventQueue.ts'
import { openFileStore } from '../../src/storage/lowdb/openFileStore.ts'
import { latestVersion, migrations } from '../../src/storage/migrations/migrate.ts'
import type { Migration } from '../../src/storage/migrations/migration.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { StoreUnavailableError } from '../../src/storage/store.ts'
import { type ProcessOptions, startProcess } from '../chaos/support/serverProcess.ts'
import { testEdgeUser, testProject } from '../store/conformance/fixtures.ts'
import { expectBuilt, expectRefusal, run } from '../support/processes/executable.ts'
import { storePlan } from '../support/storePlan.ts'

/** Space for the store, and for little else. */
const DISK_BYTES = 4 * 2 ** 20
const disk = await mountSmallDisk(DISK_BYTES)
const LOCK = 'db.json.lock'

let directory: string
let options: ProcessOptions
let number = 0
let free: () => Promise<void> = async () => {}

beforeAll(expectBuilt)

beforeEach(async () => {
  if (disk === undefined) return
  directory = join(disk, `store-${++number}`)
  options = { directory, port: await freePort(), args: ['--log-level', 'warn'] }
})

afterEach(() => free())

describe.skipIf(disk === undefined)(`a start on a full disk (${NEEDS_MOUNT})`, () => {
  // The lock of a killed server is replaced by one of the same size. After SIGTERM there is none, and no space for one.
  test.each<[NodeJS.Signals, owner: RegExp]>([
    ['SIGKILL', /is held by process \d+/],
    ['SIGTERM', /is held by an unknown process/]
  ])(
    'after %s evaluates with the data on the disk, refuses writes, and can write again once there is space',
    async (signal, owner) => {
      await fillNewStore()
      const before = await startProcess(options)
      expect(await rename(before, 'Before')).toBe(200)
      await before.end(signal)
      free = await fillDisk(disk ?? '')
      const server = await startProcess(options)
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
      expect(server.logs.join('\n')).toMatch(
        /the store cannot be written, so it starts with the data on the disk: ENOSPC/
      )
      await expectToEvaluate(server)
      expect((await readFeature(server)).name).toBe('Before')
      expect(await rename(server, 'Refused')).toBe(503)
      const refusal = await run(['--store', toStoreUrl(directory), '--port', '0'])
      expect(refusal).toMatchObject({ code: 2, stderr: expect.stringMatching(owner) })
      await free()
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
      expect(await rename(server, 'After')).toBe(200)
      await expect.poll(() => readFile(join(directory, LOCK), 'utf8'), { timeout: 20_000 }).toContain('"pid"')
      await server.end('SIGKILL')
      const again = await startProcess(options)
      expect((await readFeature(again)).name).toBe('After')
      expect((await call(again, 'verifyAudit')).body).toMatchObject({ isIntact: true })
      await again.end('SIGTERM')
      expect(await run(['check', '--store', toStoreUrl(directory)])).toMatchObject({ code: 0 })
    }
  )

  test('can be repeated: nothing of the store is lost', async () => {
    await fillNewStore()
    const before = await startProcess(options)
    expect(await rename(before, 'Before')).toBe(200)
    await before.end('SIGKILL')
    free = await fillDisk(disk ?? '')
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const server = await startProcess(options)
      await expectToEvaluate(server)
      expect(await rename(server, 'Refused')).toBe(503)
      await server.end(signal)
    }
    await free()
    const server = await startProcess(options)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect((await readFeature(server)).name).toBe('Before')
    await server.end('SIGTERM')
    expect(await run(['check', '--store', toStoreUrl(directory)])).toMatchObject({ code: 0 })
  })

  test('succeeds when settings change the administrator client and the public address, which follow later', async () => {
    await fillNewStore()
    await (await startProcess(options)).end('SIGTERM')
    free = await fillDisk(disk ?? '')
    const environment = {
      BURGEE_ADMIN_CLIENT_SECRET: 'a-new-secret-for-this-test',
      BURGEE_PUBLIC_URL: 'https://new.example.com'
    }
    const server = await startProcess({ ...options, environment })
    await expectToEvaluate(server)
    expect(server.logs.join('\n')).toMatch(/the administrator client of the settings could not be stored; retrying/)
    await free()
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: defaults.adminClientId,
      client_secret: environment.BURGEE_ADMIN_CLIENT_SECRET
    })
    const signIn = async () => (await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).status
    await expect.poll(signIn, { timeout: 20_000, interval: 500 }).toBe(200)
    await server.end('SIGTERM')
  })

  test('migrates and encrypts once there is space, before anything else is written', async () => {
    await fillNewStore()
    const rename: Migration = (data) => JSON.parse(JSON.stringify(data).replaceAll('"plain"', '"renamed"'))
    const [key] = parseEncryptionKeys(randomBytes(32).toString('hex'))
    if (!key) throw new Error('there is no key')
    const opening = { migrations: [...migrations, rename], encryption: { keys: [key] } }
    const before = await readFile(join(directory, 'db.json'), 'utf8')
    free = await fillDisk(disk ?? '')
    const store = await openFileStore(directory, opening)
    expect(await store.collection('features').get({ key: 'renamed' })).toBeDefined()
    expect(store.isWritable()).toBe(false)
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
    await expect(store.collection('edgeUsers').insert(testEdgeUser())).rejects.toThrow(StoreUnavailableError)
    expect(await readFile(join(directory, 'db.json'), 'utf8')).toBe(before)
    await free()
    await expect.poll(() => store.isWritable(), { timeout: 20_000 }).toBe(true)
    const version = latestVersion(migrations)
    expect(await readFile(join(directory, `db.json.v${version}.bak`), 'utf8')).toBe(before)
    expect(await readFile(join(directory, 'db.json'), 'utf8')).toMatch(
      new RegExp(`^{"format":"burgee-encrypted","schemaVersion":${version + 1},`)
    )
    const { _id } = await store.collection('projects').insert(testProject())
    await store.close()
    const again = await openFileStore(directory, opening)
    expect(await again.collection('projects').get({ _id })).toBeDefined()
    await again.close()
  })

  test('of a queue of events is reported until there is space', async () => {
    await (await openEventQueue(directory, { maxBytes: 2 ** 20 })).close()
    free = await fillDisk(disk ?? '')
    const queue = await openEventQueue(directory, { maxBytes: 2 ** 20 })
    expect(queue.isWritable()).toBe(false)
    await free()
    await expect.poll(queue.isWritable, { timeout: 20_000 }).toBe(true)
    await queue.close()
  })

  test('with a new directory is refused, and says why', async () => {
    free = await fillDisk(disk ?? '')
    await mkdir(directory)
    const { code, stderr } = await run(['--store', toStoreUrl(directory), '--port', '0'])
    await free()
    expect(stderr).toMatch(
      /ENOSPC: no space left on device.*free some space on its disk: without it, a new store cannot/
    )
    expect(code).toBe(2)
  })
})

describe.skipIf(disk === undefined)(`a command on a full disk (${NEEDS_MOUNT})`, () => {
  test.each([
    ['keys', 'rotate'],
    ['users', 'add', 'ada@example.com']
  ])('%s %s is refused with the cause and the remedy', async (...args) => {
    await fillNewStore()
    free = await fillDisk(disk ?? '')
    const refused = await run([...args, '--store', toStoreUrl(directory)])
    expectRefusal(refused, /ENOSPC.*; free some space on its disk, and run the command again$/m)
  })

  test.each(['backup', 'export', 'restore', 'import'])('%s names its target and the remedy', async (name) => {
    const [source, copies] = [await storeOnDisk(storePlan), await temporaryDirectory()]
    const [copy, exported] = [join(copies, 'copy.tar'), join(copies, 'export.jsonl')]
    const from = ['--store', toStoreUrl(source)]
    expect(await run(['backup', ...from, '--to', copy])).toMatchObject({ code: 0 })
    expect(await run(['export', ...from, '--to', exported])).toMatchObject({ code: 0 })
    await mkdir(directory)
    const target = join(directory, 'target')
    free = await fillDisk(disk ?? '')
    const args = {
      backup: [...from, '--to', `${target}.tar`],
      export: [...from, '--to', target],
      restore: ['--from', copy, '--store', toStoreUrl(target)],
      import: ['--from', exported, '--store', toStoreUrl(target)]
    }[name]
    const refused = await run([name, ...(args ?? [])])
    expectRefusal(refused, /target(\.tar)? cannot be written: .*ENOSPC.*; free some space on its disk/)
  })
})

async function fillNewStore(): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  await fillStore(store, { features: [{ key: 'plain' }] })
  await store.close()
}

const params = { project: 'shop', feature: 'plain' }

async function rename(server: TestServer, name: string): Promise<number> {
  return (await call(server, 'updateFeature', { params, body: { name } })).status
}

async function readFeature(server: TestServer) {
  return (await call(server, 'getFeature', { params })).body
}

async function expectToEvaluate(server: TestServer): Promise<void> {
  const input = { params: { key: 'plain' }, body: { user_id: 'ada' } }
  expect((await call(server, 'evaluateVariable', input)).body.value).toBe(true)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { call, serve, storeOnDisk, type TestServer } from '@burgee/testing/harness'
import { emptyDatabase, runOnServer, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { openDatabaseSink } from '../../src/storage/transfer/databaseSink.ts'
import { parseRecord } from '../../src/storage/transfer/transferRecord.ts'
import { testEdgeUser } from '../store/conformance/fixtures.ts'
import {
  type ExitResult,
  executable,
  expectBuilt,
  expectRefusal,
  runInProcess,
  run as runProcess
} from '../support/processes/executable.ts'
import { createFeature, storePlan } from '../support/storePlan.ts'

beforeAll(expectBuilt)

const KEY = Buffer.alloc(32, 1).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64')

/** A directory with records of every kind; its server is stopped. One day has counts only, as after its retention. */
async function filledStore(): Promise<string> {
  const server = await serve(await storeOnDisk(storePlan), { encryptionKey: parseEncryptionKeys(KEY) })
  await createFeature(server, 'banner')
  await call(server, 'updateProject', { params: { key: 'shop' }, body: { name: 'Läden\u2028' } })
  await track(server, 'ada')
  await evaluate(server)
  server.clock.now = () => Date.parse('2026-03-02T12:00:00.000Z')
  await track(server, 'grace')
  await evaluate(server)
  await call(server, 'verifyAudit')
  await server.close()
  const events = join(server.directory, 'events')
  expect((await readdir(events)).filter((name) => name.includes('2026-03-0'))).toHaveLength(4)
  await rm(join(events, '2026-03-01.jsonl'))
  return server.directory
}

async function track(server: TestServer, user_id: string): Promise<void> {
  const body = { user: { user_id, customData: { plan: 'gold' } }, events: [{ type: 'purchase', value: 1.5 }] }
  expect((await call(server, 'track', { body })).status).toBe(201)
}

async function evaluate(server: TestServer): Promise<void> {
  const body = { user_id: 'ada' }
  expect((await call(server, 'evaluateVariable', { params: { key: 'checkout' }, body })).status).toBe(200)
}

/** Adds users, so that a transfer takes a while. */
async function addUsers(directory: string, count: number): Promise<void> {
  const store = await openStore(`file:${directory}`, { encryption: { keys: parseEncryptionKeys(KEY) } })
  await store.transaction(async (transaction) => {
    for (let at = 0; at < count; at++) {
      await transaction.collection('edgeUsers').insert(testEdgeUser({ user_id: `user-${at}` }))
    }
  })
  await store.close()
}

const environment = { BURGEE_ENCRYPTION_KEY: KEY }

function run(args: readonly string[], given: Readonly<Record<string, string>> = {}): Promise<ExitResult> {
  return runInProcess(args, given)
}

/** Exports a store; returns the text. */
async function exportOf(store: string, key = KEY): Promise<string> {
  const path = join(await temporaryDirectory(), 'export.jsonl')
  const { code, stdout, stderr } = await run(['export', '--store', store, '--to', path], { BURGEE_ENCRYPTION_KEY: key })
  // A slow export reports its progress.
  expect([code, stderr.replace(/^burgee-server: \d+ records so far\n/gm, '')]).toEqual([0, ''])
  expect(stdout).toMatch(/^exported \d+ records of .+ to .+; the file contains secrets in plain text\n$/)
  return readFile(path, 'utf8')
}

async function newDirectory(): Promise<string> {
  return join(await temporaryDirectory(), 'data')
}

describe('export and import', () => {
  test('round trips are equal byte for byte, on files and databases and with other keys', async () => {
    const directory = await filledStore()
    const text = await exportOf(`file:${directory}`)
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const kinds = new Set(records.flatMap((record) => Object.keys(record)[0] ?? []))
    expect([...kinds]).toEqual(
      expect.arrayContaining(['format', 'put', 'events', 'entry', 'counts', 'users', 'access', 'end'])
    )
    expect(records.find(({ events }) => events).events.completeSince).toBe(Date.parse('2026-03-02T00:00:00.000Z'))
    expect(text).not.toContain('$encrypted')

    const path = join(await temporaryDirectory(), 'export.jsonl.gz')
    expect(await run(['export', '--store', `file:${directory}`, '--to', path], environment)).toMatchObject({ code: 0 })
    const copy = await newDirectory()
    const imported = await run(['import', '--store', `file:${copy}`, '--from', path], {
      BURGEE_ENCRYPTION_KEY: OTHER_KEY
    })
    expect(imported).toMatchObject({ code: 0, stdout: `imported ${records.length - 2} records to file:${copy}\n` })
    expect(await exportOf(`file:${copy}`, OTHER_KEY)).toBe(text)
    expect(await run(['check', '--store', `file:${copy}`])).toMatchObject({ code: 0 })

    const database = await temporaryDatabase()
    expect(await run(['import', '--store', database, '--from', path], environment)).toMatchObject({ code: 0 })
    expect(await exportOf(database)).toBe(text)
    expect(await run(['check', '--store', database])).toMatchObject({ code: 0 })
  })

  test.each<[string, RegExp, (text: string) => string]>([
    [
      'without its end',
      /ends after \d+ records, without its last line/,
      (text) => text.slice(0, text.lastIndexOf('{"end"'))
    ],
    ['with a changed record', /its checksum does not match/, (text) => text.replace('banner', 'bammer')],
    [
      'with a missing record',
      /has \d+ records instead of \d+/,
      (text) => text.replace(/\n\{"put":"features".*\n/, '\n')
    ],
    [
      'that was cut within a line',
      /is damaged or incomplete: line \d+ is not/,
      (text) => text.slice(0, text.length / 2)
    ],
    ['of another format', /is not an export/, (text) => text.replace('burgee-export', 'other')],
    [
      'of another schema version',
      /has version 1 and schema version 1,/,
      (text) => text.replace(/"schemaVersion":\d+/, '"schemaVersion":1')
    ]
  ])('an export %s is refused, and leaves no store', async (_, says, change) => {
    const text = change(await exportOf(`file:${await filledStore()}`))
    const path = join(await temporaryDirectory(), 'export.jsonl')
    await writeFile(path, text)
    const directory = await newDirectory()
    expectRefusal(await run(['import', '--store', `file:${directory}`, '--from', path], environment), says)
    expect(await readdir(directory)).toEqual([])
  })

  test('an export that was cut within a character is refused with one line', async () => {
    const bytes = Buffer.from(await exportOf(`file:${await filledStore()}`))
    const path = join(await temporaryDirectory(), 'export.jsonl')
    await writeFile(path, bytes.subarray(0, bytes.indexOf('ä') + 1))
    const refused = await run(['import', '--store', `file:${await newDirectory()}`, '--from', path], environment)
    expectRefusal(refused, /export\.jsonl is damaged or incomplete/)
  })

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['that was truncated', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['with other bytes', (bytes) => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(100)])]
  ])('a compressed export %s is refused with one line', async (_, change) => {
    const path = join(await temporaryDirectory(), 'export.jsonl.gz')
    await writeFile(path, change(gzipSync(await exportOf(`file:${await filledStore()}`))))
    const refused = await run(['import', '--store', `file:${await newDirectory()}`, '--from', path], environment)
    expectRefusal(refused, /export\.jsonl\.gz is damaged or incomplete/)
  })

  test('refuse a store that is in use, and a target with a store', async () => {
    const directory = await filledStore()
    const path = join(await temporaryDirectory(), 'export.jsonl')
    await writeFile(path, await exportOf(`file:${directory}`))
    expectRefusal(
      await run(['import', '--store', `file:${directory}`, '--from', path], environment),
      /contains a store; an import needs a new/
    )
    expectRefusal(
      await run(['export', '--store', `file:${directory}`, '--to', path], environment),
      /exists; choose another name/
    )
    expectRefusal(await run(['export', '--store', `file:${directory}`, '--to', `${path}2`]), /is encrypted with key/)
    await serve(directory, { encryptionKey: parseEncryptionKeys(KEY) })
    expectRefusal(
      await run(['export', '--store', `file:${directory}`, '--to', `${path}2`], environment),
      /a running server .+ stop it first, or export a backup/
    )
    const database = await temporaryDatabase()
    await serve(database, {}, Date.now())
    expectRefusal(
      await run(['import', '--store', database, '--from', path]),
      /contains a store; an import needs an empty database/
    )
    expectRefusal(
      await run(['migrate', database, `file:${await newDirectory()}`]),
      /is in use by a running server; stop all servers/
    )
    expectRefusal(await run(['migrate', database, database]), /two different stores/)
  })
})

describe('migrate', () => {
  test('moves a store to a database and back, and the server continues there', async () => {
    const directory = await filledStore()
    const text = await exportOf(`file:${directory}`)
    const database = await temporaryDatabase()
    const { code, stdout, stderr } = await run(['migrate', `file:${directory}`, database], environment)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^burgee-server: .+: secrets are encrypted from now on, with key \w+\n$/)
    expect(stdout).toMatch(/^migrated \d+ records from file:\S+ to postgres:\S+\n$/)
    const back = await newDirectory()
    expect(await run(['migrate', database, `file:${back}`], environment)).toMatchObject({ code: 0 })
    expect(await exportOf(`file:${back}`)).toBe(text)

    const server = await serve(
      database,
      { encryptionKey: parseEncryptionKeys(KEY) },
      Date.parse('2026-03-02T13:00:00.000Z')
    )
    await evaluate(server)
    await createFeature(server, 'later')
    expect((await call(server, 'verifyAudit')).body).toMatchObject({ isIntact: true })
    const { body } = await call(server, 'listFeatures', { params: { project: 'shop' } })
    expect(body.map(({ key }: { key: string }) => key).sort()).toEqual(['banner', 'checkout', 'later'])
  })

  test('continues after kill -9 in the middle, and no server starts before it has ended', async () => {
    const directory = await filledStore()
    await addUsers(directory, 20_000)
    const text = await exportOf(`file:${directory}`)
    const database = await temporaryDatabase()
    const stored = async () => {
      const rows = await runOnServer(
        "select value->>'records' as records from burgee_meta where name = 'import'",
        database
      )
      return Number((rows[0] as { records?: string } | undefined)?.records ?? 0)
    }
    const records = text.trimEnd().split('\n').length - 2
    let kills = 0
    for (const share of [0.05, 0.2, 0.4]) {
      const child = start('migrate', `file:${directory}`, database)
      await expect.poll(stored, { interval: 5 }).toBeGreaterThan(records * share)
      child.kill('SIGKILL')
      await once(child, 'exit')
      if ((await stored()) > 0) kills++
    }
    expect(kills).toBe(3)
    const refused = await runProcess(['--store', database, '--port', '0'], environment)
    expectRefusal(refused, /has the first \d+ records of an import that was interrupted; run the same/)
    const { code, stderr } = await run(['migrate', `file:${directory}`, database], environment)
    expect(code).toBe(0)
    expect(stderr).toMatch(/continuing an import after \d+ records/)
    expect(await exportOf(database)).toBe(text)
  }, 60_000)

  test('refuses to continue with a source that has changed', async () => {
    const directory = await filledStore()
    await addUsers(directory, 20_000)
    const database = await temporaryDatabase()
    const child = start('migrate', `file:${directory}`, database)
    const stored = () =>
      runOnServer("select 1 from burgee_meta where name = 'import' and value->>'records' <> '0'", database)
    await expect.poll(async () => (await stored()).length, { interval: 5 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const server = await serve(directory, { encryptionKey: parseEncryptionKeys(KEY) })
    await call(server, 'updateProject', { params: { key: 'shop' }, body: { name: 'Other' } })
    await server.close()
    const { code, stderr } = await run(['migrate', `file:${directory}`, database], environment)
    expect(code).toBe(2)
    expect(stderr).toMatch(/has records of another import, or the source has changed since it was interrupted/)
  })

  test('to a directory begins again after kill -9', async () => {
    const source = await filledStore()
    await addUsers(source, 20_000)
    const text = await exportOf(`file:${source}`)
    const directory = await newDirectory()
    const child = start('migrate', `file:${source}`, `file:${directory}`)
    await expect.poll(() => existsSync(join(directory, '.import', 'users.jsonl')), { interval: 2 }).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(join(directory, 'db.json'))).toBe(false)
    expect(await run(['migrate', `file:${source}`, `file:${directory}`], environment)).toMatchObject({ code: 0 })
    expect(await exportOf(`file:${directory}`)).toBe(text)
    expect(await readdir(directory)).not.toContain('.import')
  }, 60_000)
})

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [executable, ...args], { env: { ...environment }, stdio: 'ignore' })
}

test('of two imports into a database at once, one fails, and nothing is stored twice', async () => {
  const url = await emptyDatabase(await temporaryDatabase())
  const open = () => openDatabaseSink(url, { encryption: { keys: [] }, onNotice: () => {} })
  const [first, second] = [await open(), await open()]
  const at = Date.parse('2026-03-01T12:00:00.000Z')
  const entry = { environment: 'production', at, reports: [], counts: [], exposures: [] }
  for (const sink of [first, second]) await sink.write(parseRecord(JSON.stringify({ entry })))
  await first.finish()
  await expect(second.finish()).rejects.toThrow('has been written by another import meanwhile')
  for (const sink of [first, second]) await sink.close()
  expect(await runOnServer('select 1 from burgee_event_entries', url)).toHaveLength(1)
  // The import has ended, so servers may start.
  expect(await runOnServer("select 1 from burgee_meta where name = 'import'", url)).toEqual([])
})

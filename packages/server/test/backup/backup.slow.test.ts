import { mkdirSync, writeFileSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, serve, storeOnDisk, type TestServer } from '@burgee/testing/harness'
import { DAY as DAY_MS } from '@burgee/testing/plan'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeBackup } from '../../src/storage/backup/writeBackup.ts'
import { entriesOf } from '../support/events/storedEvents.ts'
import { expectBuilt, expectRefusal, run, runInProcess } from '../support/processes/executable.ts'
import { createFeature, storePlan } from '../support/storePlan.ts'

beforeAll(expectBuilt)

async function track(server: TestServer, user_id: string): Promise<void> {
  const body = { user: { user_id }, events: [{ type: 'purchase' }] }
  expect((await call(server, 'track', { body })).status).toBe(201)
}

async function keysOf(server: TestServer): Promise<readonly string[]> {
  const { body } = await call(server, 'listFeatures', { params: { project: 'shop' }, query: { perPage: 1000 } })
  return body.map(({ key }: { key: string }) => key)
}

/** A directory with a store that has features, users, events and an access log; its server is stopped. */
async function filledStore(): Promise<string> {
  const server = await serve(await storeOnDisk(storePlan))
  await createFeature(server, 'banner')
  await track(server, 'ada')
  await server.close()
  return server.directory
}

const command = (...args: readonly string[]) => runInProcess(args, {})
const backup = (directory: string, to: string) => command('backup', '--store', `file:${directory}`, '--to', to)
const check = (directory: string) => command('check', '--store', `file:${directory}`)
const restore = (directory: string, from: string, ...more: string[]) =>
  command('restore', '--store', `file:${directory}`, '--from', from, ...more)

describe('a backup of a running server', () => {
  test.each(['copy', 'copy.tar.gz', 'copy.tar'])(
    'has what was acknowledged before it, at one commit: %s',
    async (name) => {
      const server = await serve(await storeOnDisk(storePlan))
      let isRunning = true
      let [features, events] = [0, 0]
      const write = async () => {
        // A page of a list has at most 1000.
        while (isRunning && features < 900) await createFeature(server, `feature-${++features}`)
      }
      const send = async () => {
        while (isRunning) await track(server, `user-${++events}`)
      }
      const writers = [write(), send()]
      await expect.poll(() => Math.min(features, events), { timeout: 60_000 }).toBeGreaterThan(10)
      const before = { features: features - 1, events: events - 1 }
      const to = join(await temporaryDirectory(), name)
      const { code, stdout, stderr } = await run(['backup', '--store', `file:${server.directory}`, '--to', to])
      isRunning = false
      await Promise.all(writers)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^backed up commit \d+ of \S+ to \S+: \d+ files, \d+ bytes\n$/)

      const restored = join(await temporaryDirectory(), 'data')
      expect(await run(['restore', '--store', `file:${restored}`, '--from', to])).toMatchObject({ code: 0, stderr: '' })
      expect(await check(restored)).toMatchObject({ code: 0, stdout: expect.stringContaining('the store is sound') })
      const again = await serve(restored)
      const found = await keysOf(again)
      expect(found).toEqual(
        expect.arrayContaining(Array.from({ length: before.features }, (_, at) => `feature-${at + 1}`))
      )
      const { body: verification } = await call(again, 'verifyAudit')
      // The entry and the feature of a change are in one commit.
      expect(verification).toMatchObject({ isIntact: true, entries: found.length - 1 })
      expect((await entriesOf(again)).filter(({ reports }) => reports).length).toBeGreaterThanOrEqual(before.events)
    },
    60_000
  )
})

describe('backup', () => {
  test('refuses a target that has files, and a database', async () => {
    const directory = await filledStore()
    expectRefusal(await backup(directory, directory), /is not empty; a backup needs a new or an empty directory/)
    const archive = join(await temporaryDirectory(), 'copy.tar')
    await writeFile(archive, '')
    expectRefusal(await backup(directory, archive), /copy\.tar exists; choose another name/)
    expectRefusal(await command('backup', '--store', `file:${directory}`), /backup needs --to/)
    expectRefusal(await backup(join(directory, 'none'), archive), /contains no store/)
    const database = ['--store', 'postgres://burgee@127.0.0.1/burgee']
    expectRefusal(await command('backup', '--to', archive, ...database), /for a database, use pg_dump/)
    expectRefusal(await command('restore', '--from', archive, ...database), /for a database, use pg_restore or psql/)
  })
})

describe('a backup that fails', () => {
  test.each<[string, string, boolean]>([
    ['a new directory', 'copy', false],
    ['an empty directory', 'copy', true],
    ['an archive', 'copy.tar', false]
  ])('leaves nothing in %s', async (_, name, exists) => {
    const directory = await filledStore()
    // Reading it fails after other files were copied.
    await mkdir(join(directory, 'access', '2026-02-01.jsonl'), { recursive: true })
    const parent = await temporaryDirectory()
    const to = join(parent, name)
    if (exists) await mkdir(to)
    expect((await backup(directory, to)).code).not.toBe(0)
    expect(await readdir(parent)).toEqual(exists ? [name] : [])
    if (exists) expect(await readdir(to)).toEqual([])
  })
})

test('a backup that cannot read the store does not blame a target with a similar name', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'copy of the store')
  await cp(await filledStore(), directory, { recursive: true })
  await rm(join(directory, 'access'), { recursive: true, force: true })
  await symlink('access', join(directory, 'access'))
  const { code, stderr } = await backup(directory, join(parent, 'copy'))
  expect(code).not.toBe(0)
  expect(stderr).toContain('ELOOP')
  expect(stderr).not.toContain('cannot be created')
})

test('a backup that fails removes only what it wrote', async () => {
  const directory = await filledStore()
  await mkdir(join(directory, 'access', '2026-02-01.jsonl'), { recursive: true })
  const to = join(await temporaryDirectory(), 'copy')
  await mkdir(to)
  const onProgress = () => {
    mkdirSync(join(to, 'notes'), { recursive: true })
    writeFileSync(join(to, 'notes', 'of others'), '')
  }
  await expect(writeBackup(directory, to, { now: Date.now, onProgress })).rejects.toThrow()
  expect(await readdir(to, { recursive: true })).toEqual(['notes', join('notes', 'of others')])
})

describe('restore', () => {
  test('replaces a store only with --force, and keeps its files', async () => {
    const directory = await filledStore()
    const to = join(await temporaryDirectory(), 'copy')
    await backup(directory, to)
    const server = await serve(directory)
    await createFeature(server, 'newer')
    await server.close()
    expectRefusal(await restore(directory, to), /contains a store; set --force to replace it/)
    const { code, stdout } = await restore(directory, to, '--force')
    expect(code).toBe(0)
    const [, aside = ''] = /the replaced store is in (\S+);/.exec(stdout) ?? []
    expect(await readFile(join(aside, 'db.json'), 'utf8')).toContain('newer')
    expect((await keysOf(await serve(directory))).toSorted()).toEqual(['banner', 'checkout'])
  })

  test('refuses while a server has the directory open', async () => {
    const directory = await filledStore()
    const to = join(await temporaryDirectory(), 'copy')
    await backup(directory, to)
    await serve(directory)
    expectRefusal(
      await restore(directory, to, '--force'),
      /a running server \(process \d+\) holds the store in .+; stop it/
    )
  })

  test('refuses a backup that was changed or is incomplete, and leaves the store as it is', async () => {
    const directory = await filledStore()
    const parent = await temporaryDirectory()
    const [to, archive] = [join(parent, 'copy'), join(parent, 'copy.tar.gz')]
    await backup(directory, to)
    await backup(directory, archive)
    const before = await readFile(join(directory, 'db.json'))
    const damages: Record<string, (path: string) => Promise<void>> = {
      'content of users.jsonl has changed|users.jsonl has \\d+ bytes': (path) =>
        appendFile(join(path, 'users.jsonl'), '[]\n'),
      'history.jsonl has \\d+ bytes instead of \\d+': (path) => truncate(join(path, 'history.jsonl'), 10),
      'events/since is missing': (path) => rm(join(path, 'events', 'since')),
      'neither backup.json nor a store': async (path) => {
        await rm(path, { recursive: true })
        await mkdir(path)
      }
    }
    for (const [says, damage] of Object.entries(damages)) {
      const damaged = join(await temporaryDirectory(), 'damaged')
      await cp(to, damaged, { recursive: true })
      await damage(damaged)
      expectRefusal(await restore(directory, damaged, '--force'), new RegExp(says))
    }
    await truncate(archive, (await readFile(archive)).length - 100)
    expectRefusal(await restore(directory, archive, '--force'), /is damaged or incomplete/)
    expect(await readFile(join(directory, 'db.json'))).toEqual(before)
    expect(await readdir(directory)).not.toContain('.restore')
  })
})

describe('check', () => {
  test('exits with 0 for a sound store, running or not, and for a backup', async () => {
    const server = await serve(await storeOnDisk(storePlan))
    await createFeature(server, 'banner')
    await track(server, 'ada')
    expect(await check(server.directory)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {7}hash chain: /m)
    })
    await server.close()
    const { code, stdout } = await check(server.directory)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {7}db\.json: commit \d+, 1 projects, 2 features$/m)
    expect(stdout).toMatch(/^ok {7}history\.jsonl: \d+ entries$/m)
    expect(stdout).toMatch(/^ok {7}events\/2026-03-01\.jsonl: 1 entries$/m)
    const to = join(await temporaryDirectory(), 'copy')
    await backup(server.directory, to)
    expect(await check(to)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {7}backup\.json: /m) })
    await appendFile(join(to, 'events', 'since'), ' ')
    expect(await check(to)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^damaged {2}events\/since: is not as/m)
    })
  })

  test.each<[string, RegExp, (directory: string) => Promise<void>]>([
    [
      'a document with another byte',
      /^damaged {2}db\.json: was damaged or edited/m,
      (path) => replaceIn(path, 'db.json', 'banner', 'bammer')
    ],
    [
      'a document with invalid JSON',
      // The history is not blamed for it.
      /^damaged {2}db\.json: is not valid JSON(?!.*damaged)/ms,
      (path) => replaceIn(path, 'db.json', '"format"', '"format')
    ],
    [
      'a history with another byte',
      /^damaged {2}history\.jsonl:/m,
      (path) => replaceIn(path, 'history.jsonl', '"put"', '"pat"')
    ],
    [
      'a changed audit entry',
      /^damaged {2}hash chain: is broken at entry 1/m,
      (path) => replaceIn(path, 'history.jsonl', 'banner', 'bammer')
    ],
    [
      'a shorter history',
      /^damaged {2}history\.jsonl: line 1 of/m,
      (path) => truncate(join(path, 'history.jsonl'), 40)
    ],
    ['a missing journal', /^damaged {2}users\.jsonl: is missing/m, (path) => rm(join(path, 'users.jsonl'))],
    [
      'an emptied journal',
      /^damaged {2}users\.jsonl: has only 0 of \d+ bytes/m,
      (path) => truncate(join(path, 'users.jsonl'), 0)
    ],
    [
      'a damaged journal',
      /^damaged {2}users\.jsonl: is damaged at line/m,
      (path) => appendFile(join(path, 'users.jsonl'), 'x\n')
    ],
    [
      'a journal with another byte',
      /^damaged {2}users\.jsonl: is damaged at line 1/m,
      (path) => replaceIn(path, 'users.jsonl', 'gold', 'cold')
    ],
    [
      'shorter events',
      /^damaged {2}events\/2026-03-01\.jsonl: has only 0 of \d+ bytes: acknowledged events are lost/m,
      (path) => truncate(join(path, 'events/2026-03-01.jsonl'), 0)
    ],
    [
      'a damaged event',
      /^damaged {2}events\/2026-03-01\.jsonl: has 1 damaged lines, the first at line 2/m,
      (path) => appendFile(join(path, 'events/2026-03-01.jsonl'), '{}\n')
    ],
    [
      'a damaged summary',
      /^damaged {2}events\/2026-03-01\.jsonl: has a damaged summary/m,
      (path) => replaceIn(path, 'events/2026-03-01.summary.json', '"version"', '"versiom"')
    ]
  ])('exits with 1 at %s', async (_, says, damage) => {
    const directory = await filledStore()
    await damage(directory)
    const { code, stdout, stderr } = await check(directory)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(says)
    expect(stdout).toMatch(/^problems: \d+$/m)
  })

  test('names the file of commits that is damaged', async () => {
    const { directory } = await serve(await storeOnDisk(storePlan))
    const copy = join(await temporaryDirectory(), 'copy')
    await cp(directory, copy, { recursive: true })
    const [name = ''] = (await readdir(copy)).filter((file) => file.startsWith('commits-'))
    await writeFile(join(copy, name), `x${await readFile(join(copy, name), 'utf8')}`)
    const { code, stdout } = await check(copy)
    expect(code).toBe(1)
    expect(stdout).toContain(`damaged  ${name}: is damaged at line 1`)
    expect(stdout).toMatch(/^problems: 1$/m)
  })

  test('exits with 1 at a missing day of events, until it has expired', async () => {
    const directory = await filledStore()
    await rm(join(directory, 'events/2026-03-01.jsonl'))
    const checked = (days: string) => command('check', '--store', `file:${directory}`, '--events-retention-days', days)
    expect(await checked('36500')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^damaged {2}events\/2026-03-01\.jsonl: is missing, and its entries have not expired: \d+ bytes of events/m
      )
    })
    expect(await checked('31')).toMatchObject({ code: 0, stdout: expect.stringContaining('counts only') })
    // The server that deleted the day recorded it, so a longer retention does not report it.
    await writeFile(join(directory, 'events/expired'), '2026-03-01\n')
    expect(await checked('36500')).toMatchObject({ code: 0, stdout: expect.stringContaining('counts only') })
  })

  test.each([
    ['shortened', /^damaged {2}events\/2026-03-01\.jsonl: has only 0 of \d+ bytes: acknowledged events are lost/m],
    ['deleted', /^damaged {2}events\/2026-03-01\.jsonl: is missing, /m]
  ])('exits with 1 at a day that was %s after a crash, before a summary counted its events', async (how, says) => {
    const server = await serve(await storeOnDisk(storePlan))
    await track(server, 'ada')
    const copy = join(await temporaryDirectory(), 'copy')
    await cp(server.directory, copy, { recursive: true })
    const day = join(copy, 'events/2026-03-01.jsonl')
    if (how === 'shortened') await truncate(day, 0)
    else await rm(day)
    const args = ['check', '--store', `file:${copy}`, '--events-retention-days', '36500']
    expect(await command(...args)).toMatchObject({ code: 1, stdout: expect.stringMatching(says) })
  })

  test('checks a database', async () => {
    const url = await temporaryDatabase()
    const server = await serve(url, {}, Date.now())
    expect((await call(server, 'createProject', { body: { key: 'shop', name: 'Shop' } })).status).toBe(201)
    const { code, stdout } = await command('check', '--store', url)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {7}projects: 1 items$/m)
    expect(stdout).toMatch(/^ok {7}hash chain: 1 entries$/m)
  })

  test('refuses an archive, and any other file', async () => {
    const path = join(await temporaryDirectory(), 'copy.tar.gz')
    expect(await backup(await filledStore(), path)).toMatchObject({ code: 0 })
    expectRefusal(await check(path), /copy\.tar\.gz is a file, and check reads directories; restore the archive first/)
    expectRefusal(await backup(path, join(await temporaryDirectory(), 'copy')), /contains no store/)
  })

  test('refuses a directory without a store', async () => {
    expectRefusal(await check(await temporaryDirectory()), /contains no store/)
  })
})

test('a server copies its store periodically, and keeps the newest copies', async () => {
  const folder = join(await temporaryDirectory(), 'copies')
  const directory = await storeOnDisk(storePlan)
  const rotation = { backupHours: 24, backupCopies: 2, backupDirectory: folder }
  const server = await serve(directory, rotation)
  const copies = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('Z'))
  const wait = (names: readonly string[]) => expect.poll(copies).toEqual(names)
  await wait(['2026-03-01T12-00-00.000Z'])
  const start = server.clock.now()
  server.clock.now = () => start + DAY_MS
  await wait(['2026-03-01T12-00-00.000Z', '2026-03-02T12-00-00.000Z'])
  server.clock.now = () => start + 2 * DAY_MS
  await wait(['2026-03-02T12-00-00.000Z', '2026-03-03T12-00-00.000Z'])
  expect(await check(join(folder, '2026-03-03T12-00-00.000Z'))).toMatchObject({ code: 0 })
})

async function replaceIn(directory: string, name: string, text: string, other: string): Promise<void> {
  const path = join(directory, name)
  const content = await readFile(path, 'utf8')
  expect(content).toContain(text)
  await writeFile(path, content.replace(text, other))
}

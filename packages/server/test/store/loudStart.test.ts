import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { formatDocument } from '../../src/storage/lowdb/document/storeDocument.ts'
import { latestVersion, migrations } from '../../src/storage/migrations/migrate.ts'
import type { Migration } from '../../src/storage/migrations/migration.ts'
import { StoreOpenError } from '../../src/storage/store.ts'
import { flagDataCollections } from '../../src/storage/tables/storeState.ts'
import { testAuditEntry, testEdgeUser, testId, testProject, testVariable } from './conformance/fixtures.ts'
import { disk, fill, open, pathOf, useFileStore } from './support/fileStore.ts'

useFileStore()

const newest = latestVersion(migrations)
const empty: Readonly<Record<string, readonly object[]>> = Object.fromEntries(
  flagDataCollections.map((name) => [name, []])
)

beforeEach(() =>
  fill(async (store) => {
    await store.collection('projects').insert(testProject({ key: 'shop', name: 'Shop' }))
    await store.collection('auditEntries').insert(testAuditEntry())
    await store.collection('edgeUsers').insert(testEdgeUser())
  })
)

describe('an invalid db.json', () => {
  test.each<[string, (good: Buffer) => Buffer | string, RegExp]>([
    ['nothing', () => '', /is empty/],
    ['half of it', (good) => good.subarray(0, good.length / 2), /not valid JSON/],
    ['NULs', (good) => Buffer.alloc(good.length), /not valid JSON/],
    ['a byte order mark before it', (good) => `\uFEFF${good}`, /not valid JSON/],
    ['HTML', () => '<!doctype html><title>404</title>', /not valid JSON/],
    ['null', () => 'null', /not a JSON object/],
    ['0', () => '0', /not a JSON object/],
    ['false', () => 'false', /not a JSON object/],
    ['a string', () => '"abc"', /not a JSON object/],
    ['a list', () => '[1,2]', /not a JSON object/],
    ['an empty object', () => '{}', /format/],
    ['the document of another program', () => '{"posts":[]}', /format/],
    ['no revision', (good) => replaced(good, '"revision"', '"edition"'), /revision/],
    ['schema version 0', (good) => replaced(good, `"schemaVersion":${newest}`, '"schemaVersion":0'), /schemaVersion/],
    [
      'a newer schema version',
      (good) => replaced(good, `"schemaVersion":${newest}`, `"schemaVersion":${newest + 1}`),
      new RegExp(`version ${newest + 1}.*up to ${newest}`)
    ],
    ['data changed by hand', (good) => replaced(good, '"Shop"', '"Blog"'), /checksum/],
    ['data formatted anew', (good) => JSON.stringify(JSON.parse(String(good)), null, 2), /checksum/],
    ['a byte that is not UTF-8', (good) => damaged(good, '"Shop"'), /not UTF-8/],
    ['a list for data', () => written([]), /are not a list/],
    ['null for data', () => written(null), /not an object/],
    ['a collection too few', () => written({ ...empty, audiences: undefined }), /audiences are not a list/],
    ['a collection too many', () => written({ ...empty, segments: [] }), /unknown collections segments/],
    ['an item without an id', () => written({ ...empty, features: [{}] }), /features are not all items/],
    ['two items with one id', () => written({ ...empty, projects: [{ _id: 'a', key: 'a' }, { _id: 'a' }] }), /already/],
    ['two items with one key', () => written({ ...empty, projects: [{ _id: 'a' }, { _id: 'b' }] }), /already/]
  ])('is refused: %s', async (_, corrupt, message) => {
    const bytes = Buffer.from(corrupt(await readFile(pathOf('db.json'))))
    await writeFile(pathOf('db.json'), bytes)
    const error = await open().catch((reason) => reason)
    expect(error).toBeInstanceOf(StoreOpenError)
    expect(error.message).toMatch(message)
    expect(error.message).toContain(`${pathOf('db.json')} `)
    expect(error.message).toMatch(/; (restore|start)/)
    expect(await readFile(pathOf('db.json'))).toEqual(bytes)
    expect(await readdir(disk.directory)).not.toContain('db.json.lock')
  })

  function replaced(good: Buffer, text: string, replacement: string): string {
    expect(String(good)).toContain(text)
    return String(good).replace(text, replacement)
  }

  function damaged(good: Buffer, text: string): Buffer {
    good[good.indexOf(text) + 1] = 0xff
    return good
  }

  function written(data: unknown): string {
    return formatDocument({ schemaVersion: newest, revision: 1, historyLength: 0, data })
  }
})

test('a directory with the name of a commit log is reported with its path', async () => {
  await mkdir(pathOf('commits-9.jsonl'))
  await expect(open()).rejects.toThrow(`${pathOf('commits-9.jsonl')} is not a file; move it out of this directory`)
})

describe('a missing file', () => {
  test.each(['burgee.store', 'history.jsonl', 'users.jsonl', 'commits-9.jsonl', 'db.json.v1.bak'])(
    'prevents an emptied directory from being treated as new as long as it has %s',
    async (trace) => {
      for (const name of await readdir(disk.directory)) await rm(pathOf(name))
      await writeFile(pathOf(trace), '')
      await expect(open()).rejects.toThrow(StoreOpenError)
      await expect(open()).rejects.toThrow(
        `${pathOf('db.json')} is missing, but there was a store here: found ${trace}`
      )
      expect(await readdir(disk.directory)).toEqual([trace])
    }
  )

  test('is refused if it is that of the user data, unless an empty one is put there', async () => {
    await rm(pathOf('users.jsonl'))
    await expect(open()).rejects.toThrow(`${pathOf('users.jsonl')} is missing`)
    await writeFile(pathOf('users.jsonl'), '')
    await rm(pathOf('users.length'))
    const store = await open()
    expect((await store.collection('projects').list()).count).toBe(1)
  })

  test('is no problem in a directory with hidden files only', async () => {
    for (const name of await readdir(disk.directory)) await rm(pathOf(name))
    await writeFile(pathOf('.notes'), 'mine')
    const store = await open()
    expect((await store.collection('projects').list()).count).toBe(0)
  })
})

describe('an older schema version', () => {
  const rename = (from: string, to: string) => (data: unknown) => JSON.parse(JSON.stringify(data).replaceAll(from, to))
  /** Opens with the existing migrations and these. */
  const openWith = (...further: readonly Migration[]) => open({ migrations: [...migrations, ...further] })

  test('is backed up, migrated step by step, and written at once', async () => {
    const original = await readFile(pathOf('db.json'))
    const store = await openWith(rename('Shop', 'Store'), rename('Store', 'Warehouse'))
    expect((await store.collection('projects').get({ key: 'shop' }))?.name).toBe('Warehouse')
    expect((await store.collection('edgeUsers').list()).count).toBe(1)
    expect((await store.collection('auditEntries').list()).count).toBe(1)
    expect(await readFile(pathOf(`db.json.v${newest}.bak`))).toEqual(original)
    expect(JSON.parse(await readFile(pathOf('db.json'), 'utf8')).schemaVersion).toBe(newest + 2)
    expect(disk.notices).toEqual([expect.stringContaining(`from schema version ${newest} to ${newest + 2}`)])
  })

  test('runs only the missing migrations', async () => {
    await (await openWith(rename('Shop', 'Store'))).close()
    const store = await openWith(rename('Store', 'never'), rename('Store', 'Warehouse'))
    expect((await store.collection('projects').get({ key: 'shop' }))?.name).toBe('Warehouse')
    expect(await readFile(pathOf(`db.json.v${newest + 1}.bak`), 'utf8')).toContain('"Store"')
  })

  test('may lack the collections that only a later one has', async () => {
    const { audiences, variables, ...older } = JSON.parse(await readFile(pathOf('db.json'), 'utf8')).data
    await writeDocument({ ...older, segments: [{ _id: testId(1), _project: testId(2), key: 'beta' }] })
    const toAudiences: Migration = (data) => {
      // The document above has this shape.
      const { segments, ...rest } = data as Readonly<Record<string, readonly object[]>>
      return { ...rest, audiences: segments, variables: [] }
    }
    const store = await openWith(toAudiences)
    expect(await store.collection('audiences').get({ _project: testId(2), key: 'beta' })).toMatchObject({
      _id: testId(1)
    })
    await store.collection('variables').insert(testVariable())
    await store.close()
    const again = await openWith(toAudiences)
    expect((await again.collection('variables').list()).count).toBe(1)
    expect((await again.collection('projects').get({ key: 'shop' }))?.name).toBe('Shop')
  })

  test('is refused when its migration does not add a collection of the current one', async () => {
    const { audiences, ...older } = empty
    await writeDocument(older)
    await expect(openWith((data) => data)).rejects.toThrow('audiences are not a list')
  })

  test('is unchanged when its history is invalid', async () => {
    const original = await readFile(pathOf('db.json'))
    await rm(pathOf('history.jsonl'))
    await expect(openWith(rename('Shop', 'Store'))).rejects.toThrow('history.jsonl is missing')
    expect(await readFile(pathOf('db.json'))).toEqual(original)
  })

  test('is unchanged when a migration fails or has an invalid result', async () => {
    const original = await readFile(pathOf('db.json'))
    const failing = () => {
      throw new Error('on purpose')
    }
    await expect(openWith(failing)).rejects.toThrow(/could not be migrated.*unchanged/)
    await expect(openWith(() => ({}))).rejects.toThrow(StoreOpenError)
    expect(await readFile(pathOf('db.json'))).toEqual(original)
    expect(await (await open()).collection('projects').get({ key: 'shop' })).toBeDefined()
  })

  test('cannot be opened again by the older program', async () => {
    await (await openWith((data) => data)).close()
    await expect(open()).rejects.toThrow('start the newer version of Burgee')
  })

  async function writeDocument(data: unknown): Promise<void> {
    const { historyLength } = JSON.parse(await readFile(pathOf('db.json'), 'utf8'))
    await writeFile(pathOf('db.json'), formatDocument({ schemaVersion: newest, revision: 1, historyLength, data }))
  }
})

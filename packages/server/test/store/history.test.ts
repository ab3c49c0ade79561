import { mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { testAuditEntry, testId, testProject } from '../../src/storage/conformance.ts'
import { formatDocument } from '../../src/storage/lowdb/storeDocument.ts'
import { latestVersion, migrations } from '../../src/storage/migrations/migrate.ts'
import { type Store, StoreOpenError, StoreUnavailableError } from '../../src/storage/store.ts'
import { disk, fill, open, pathOf, useFileStore } from './support/fileStore.ts'

useFileStore()

const DOCUMENT = 'db.json'
const HISTORY = 'history.jsonl'

describe('history', () => {
  test('is appended to its own file, one line for each transaction, and read again', async () => {
    const [one, two] = [testAuditEntry({ _environments: [testId(1)] }), testAuditEntry({ idp_user: 'é\u2028\n"' })]
    await fill(async (store) => {
      await store.transaction(async (inside) => {
        await inside.collection('projects').insert(testProject())
        await inside.collection('auditEntries').insert(one)
        await inside.collection('auditEntries').insert(two)
      })
      await store.collection('auditEntries').insert(testAuditEntry({ _id: testId(9) }))
      await store.collection('auditEntries').remove(testId(9))
    })
    expect(await lines()).toHaveLength(3)
    expect(await readFile(pathOf(DOCUMENT), 'utf8')).not.toContain(one.idp_user)
    expect(await recordedLength()).toBe(await sizeOf(HISTORY))
    expect((await stat(pathOf(HISTORY))).mode & 0o777).toBe(0o600)
    expect(await entriesOf(await open())).toEqual([one, two])
    expect(disk.notices).toEqual([])
  })

  test('shares a commit with concurrent transactions', async () => {
    await fill((store) => Promise.all(Array.from({ length: 30 }, () => change(store))))
    expect(await lines()).toHaveLength(30)
    await expectAgreement(await open())
  })

  test.each<[string, (before: Buffer) => Promise<void>]>([
    ['its document was written', (before) => writeFile(pathOf(DOCUMENT), before)],
    [
      'it was all there',
      async (before) => {
        await truncate(pathOf(HISTORY), (await sizeOf(HISTORY)) - 10)
        await writeFile(pathOf(DOCUMENT), before)
      }
    ]
  ])('of a commit that ended before %s is truncated, with a notice', async (_, breakOff) => {
    await fill(change)
    const before = await readFile(pathOf(DOCUMENT))
    const kept = await readFile(pathOf(HISTORY))
    await fill(change)
    await breakOff(before)
    const store = await open()
    expect(await entriesOf(store)).toHaveLength(1)
    expect(await readFile(pathOf(HISTORY))).toEqual(kept)
    expect(disk.notices).toEqual([expect.stringMatching(/history\.jsonl: cut off \d+ bytes/)])
    await change(store)
    await store.close()
    await expectAgreement(await open(), 2)
  })

  test('starts empty beside a document that predates it', async () => {
    const { historyLength, ...first } = { ...(await emptyDocument()), schemaVersion: 1 }
    const text = formatDocument({ ...first, historyLength }).replace(`"historyLength":${historyLength},`, '')
    expect(text).not.toContain('historyLength')
    await writeFile(pathOf(DOCUMENT), text)
    await rm(pathOf(HISTORY))
    // The current data with the first schema version: there is nothing to migrate.
    const store = await open({ migrations: [] })
    expect(await entriesOf(store)).toEqual([])
    await change(store)
    await store.close()
    expect(await recordedLength()).toBe(await sizeOf(HISTORY))
  })
})

describe('an untrustworthy history', () => {
  test.each<[string, () => Promise<void>, RegExp]>([
    ['none', () => rm(pathOf(HISTORY)), /is missing, and db\.json refers to \d+ bytes/],
    ['an end too early', async () => truncate(pathOf(HISTORY), (await sizeOf(HISTORY)) - 1), /has only \d+ bytes/],
    ['nothing', () => truncate(pathOf(HISTORY)), /has only 0 bytes/],
    ['another one, whose lines end elsewhere', () => replaceHistory(/^/, '[]\n'), /is damaged at line 3/],
    ['a line that ends later', () => replaceHistory(/\n$/, '  \n'), /has no line that ends there/],
    ['no JSON', () => replaceHistory(/\{/, '<'), /is damaged at line 1/],
    ['another collection', () => replaceHistory(/auditEntries/, 'auditTreasure'), /is damaged at line 1/],
    ['flag data', () => replaceHistory(/"auditEntries"/, '"projects"    '), /is damaged at line 1/]
  ])('is refused: %s', async (_, corrupt, message) => {
    await fill(change)
    await fill(change)
    await corrupt()
    const before = await contents()
    const error = await open().catch((reason) => reason)
    expect(error).toBeInstanceOf(StoreOpenError)
    expect(error.message).toMatch(message)
    expect(error.message).toContain(`${pathOf(HISTORY)} `)
    expect(error.message).toMatch(/; restore a backup, or set "historyLength" in db\.json to \d+ to lose/)
    expect(await contents()).toEqual(before)
    expect(disk.notices).toEqual([])
  })

  test('is truncated by hand as the message says', async () => {
    for (let count = 0; count < 3; count++) await fill(change)
    await replaceHistory(/(?<=\n).*(?=\n.*\n$)/, (line) => 'x'.repeat(line.length))
    const { message } = await open().catch((reason) => reason)
    const [, length] = /to (\d+) to lose the rest/.exec(message) ?? []
    const text = await readFile(pathOf(DOCUMENT), 'utf8')
    await writeFile(pathOf(DOCUMENT), text.replace(/"historyLength":\d+/, `"historyLength":${length}`))
    const store = await open()
    expect(await entriesOf(store)).toHaveLength(1)
    expect((await store.collection('projects').list()).count).toBe(3)
  })

  test('has no length in its document', async () => {
    await fill(change)
    const text = await readFile(pathOf(DOCUMENT), 'utf8')
    await writeFile(pathOf(DOCUMENT), text.replace(/"historyLength":\d+/, '"historyLength":-1'))
    await expect(open()).rejects.toThrow(`${pathOf(DOCUMENT)} has no valid historyLength; restore`)
    await expect(readFile(pathOf(HISTORY), 'utf8')).resolves.toContain('auditEntries')
  })

  test('prevents an emptied directory from being treated as new', async () => {
    await fill(change)
    for (const name of await readdir(disk.directory)) if (name !== HISTORY) await rm(pathOf(name))
    await expect(open()).rejects.toThrow(`${pathOf(DOCUMENT)} is missing, but there was a store here: found ${HISTORY}`)
  })
})

describe('a failed commit', () => {
  test('after its history was appended keeps neither', async () => {
    const store = await open()
    await change(store)
    await withoutDocument(async () => {
      await expect(change(store)).rejects.toThrow(StoreUnavailableError)
      expect(store.isWritable()).toBe(false)
      await expectAgreement(store, 1)
    })
    expect(await sizeOf(HISTORY)).toBeGreaterThan(await recordedLength())
    await change(store)
    expect(store.isWritable()).toBe(true)
    expect(await recordedLength()).toBe(await sizeOf(HISTORY))
    await store.close()
    await expectAgreement(await open(), 2)
  })

  test('because its history was removed changes nothing, regardless of later writes', async () => {
    const store = await open()
    await change(store)
    const before = await readFile(pathOf(DOCUMENT))
    await rm(pathOf(HISTORY))
    await expect(change(store)).rejects.toThrow(StoreUnavailableError)
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow('removed or replaced')
    await expectAgreement(store, 1)
    expect(await readFile(pathOf(DOCUMENT))).toEqual(before)
  })

  test('because its history was truncated changes nothing', async () => {
    const store = await open()
    await change(store)
    await truncate(pathOf(HISTORY), 5)
    await expect(change(store)).rejects.toThrow(/lost \d+ bytes/)
    expect(await sizeOf(HISTORY)).toBe(5)
  })

  test('that left its document behind is undone before its history', async () => {
    const store = await open()
    await change(store)
    const before = await readFile(pathOf(DOCUMENT), 'utf8')
    await withoutDocument(() => expect(change(store)).rejects.toThrow(StoreUnavailableError))
    // The result of a rename whose directory was not synced: the document of the refused commit.
    await writeFile(pathOf(DOCUMENT), before.replace(/"historyLength":\d+/, `"historyLength":${await sizeOf(HISTORY)}`))
    const grown = await sizeOf(HISTORY)
    // From here on the history cannot be appended to; it still has the length in that document.
    await rename(pathOf(HISTORY), pathOf('away'))
    await expect(change(store)).rejects.toThrow(StoreUnavailableError)
    expect(await readFile(pathOf(DOCUMENT), 'utf8')).toBe(before)
    expect(await sizeOf('away')).toBe(grown)
  })

  /** Replaces the document by something that no file can be renamed to. */
  async function withoutDocument(work: () => Promise<unknown>): Promise<void> {
    await rename(pathOf(DOCUMENT), pathOf('aside'))
    await mkdir(pathOf(DOCUMENT))
    await work()
    await rmdir(pathOf(DOCUMENT))
    await rename(pathOf('aside'), pathOf(DOCUMENT))
  }
})

/** One change of flag data with its audit entry. */
async function change(store: Store): Promise<void> {
  await store.transaction(async (inside) => {
    const { _id } = await inside.collection('projects').insert(testProject())
    await inside.collection('auditEntries').insert(testAuditEntry({ _project: _id }))
  })
}

/** Expects an entry for each change, and a change for each entry. */
async function expectAgreement(store: Store, count?: number): Promise<void> {
  const { items } = await store.collection('projects').list()
  expect((await entriesOf(store)).map(({ _project }) => _project).sort()).toEqual(items.map(({ _id }) => _id))
  if (count !== undefined) expect(items).toHaveLength(count)
}

async function entriesOf(store: Store) {
  return (await store.collection('auditEntries').list()).items
}

async function lines(): Promise<string[]> {
  return (await readFile(pathOf(HISTORY), 'utf8')).split('\n').slice(0, -1)
}

async function sizeOf(name: string): Promise<number> {
  return (await stat(pathOf(name))).size
}

async function recordedLength(): Promise<number> {
  return JSON.parse(await readFile(pathOf(DOCUMENT), 'utf8')).historyLength
}

async function emptyDocument() {
  await fill()
  const { revision, historyLength, data } = JSON.parse(await readFile(pathOf(DOCUMENT), 'utf8'))
  return { schemaVersion: latestVersion(migrations), revision, historyLength, data }
}

async function replaceHistory(pattern: RegExp, replacement: string | ((found: string) => string)): Promise<void> {
  const text = await readFile(pathOf(HISTORY), 'utf8')
  await writeFile(pathOf(HISTORY), text.replace(pattern, replacement as string))
}

async function contents(): Promise<string[]> {
  return Promise.all((await readdir(disk.directory)).sort().map((name) => readFile(pathOf(name), 'utf8')))
}

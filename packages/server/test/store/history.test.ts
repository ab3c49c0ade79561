import { cp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type AuditQuery, listAuditEntries } from '../../src/access/audit/listAuditEntries.ts'
import { HistoryError } from '../../src/storage/auditLog.ts'
import { checkDirectory } from '../../src/storage/check/checkDirectory.ts'
import type { Finding } from '../../src/storage/check/finding.ts'
import { formatDocument } from '../../src/storage/lowdb/document/storeDocument.ts'
import { latestVersion, migrations } from '../../src/storage/migrations/migrate.ts'
import { type Store, StoreOpenError, StoreUnavailableError } from '../../src/storage/store.ts'
import { untilReleased } from '../support/garbage.ts'
import { testAuditEntry, testId, testProject } from './conformance/fixtures.ts'
import { disk, fill, open, pathOf, useFileStore } from './support/fileStore.ts'

useFileStore()

const DOCUMENT = 'db.json'
const HISTORY = 'history.jsonl'
/** The commit log of a new store. */
const COMMITS = 'commits-2.jsonl'
const COMMITS_OF_SECOND_START = 'commits-3.jsonl'

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

  test.each<[string, (before: Buffer) => Promise<void>, RegExp]>([
    [
      'moves whole lines to another file',
      (before) => writeFile(pathOf(DOCUMENT), before),
      /history\.jsonl has \d+ bytes that no commit refers to, .*; they are moved to .*history\.jsonl\.\d+-\d+$/
    ],
    [
      'cuts off an incomplete line',
      async (before) => {
        await truncate(pathOf(HISTORY), (await sizeOf(HISTORY)) - 10)
        await writeFile(pathOf(DOCUMENT), before)
      },
      /history\.jsonl: cut off \d+ bytes of an incomplete line/
    ]
  ])(
    'beyond that of an older document that is put in place: a start %s, with a notice',
    async (_, breakOff, notice) => {
      await fill(change)
      const before = await readFile(pathOf(DOCUMENT))
      const kept = await readFile(pathOf(HISTORY))
      await fill(change)
      await breakOff(before)
      const store = await open()
      expect(await entriesOf(store)).toHaveLength(1)
      expect(await readFile(pathOf(HISTORY))).toEqual(kept)
      expect(disk.notices).toEqual([expect.stringMatching(notice)])
      await change(store)
      await store.close()
      await expectAgreement(await open(), 2)
    }
  )

  test('is moved aside at a start without its commits: this is an error, and a check lists the file', async () => {
    await fill(change)
    const store = await open()
    await change(store)
    // As it is while the server runs.
    await cp(disk.directory, `${disk.directory}-copy`, { recursive: true })
    await store.close()
    disk.directory = `${disk.directory}-copy`
    for (const name of ['db.json.lock', COMMITS_OF_SECOND_START]) await rm(pathOf(name))
    const notices: unknown[] = []
    await (await open({ onNotice: (...notice) => notices.push(notice) })).close()
    expect(notices).toEqual([[expect.stringContaining('acknowledged changes may be missing'), 'error']])
    const findings: Finding[] = []
    for await (const finding of checkDirectory(disk.directory)) findings.push(finding)
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
    expect(findings.filter(({ notice }) => notice !== undefined)).toEqual([
      { file: expect.stringMatching(/^history\.jsonl\.\d+-\d+$/), notice: expect.stringContaining('may be missing') }
    ])
  })

  test('starts empty with a document that predates it', async () => {
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

describe('an audit entry', () => {
  test('leaves the memory when the file has it, and is read from there', async () => {
    const store = await open()
    const entries = store.collection('auditEntries')
    const inserted: WeakRef<object>[] = []
    for (const number of [1, 2, 3]) {
      inserted.push(new WeakRef(await entries.insert(testAuditEntry({ _id: testId(number) }))))
    }
    // The queue of transactions keeps its last result.
    await untilReleased(inserted.slice(0, 2))
    await expect.poll(lines).toHaveLength(3)
    await replaceHistory(/"organization"(?=.*\n$)/, '"ORGANIZATION"')
    const { items } = await entries.list()
    expect(items.map(({ _organization }) => _organization)).toEqual(['organization', 'organization', 'ORGANIZATION'])
  })

  test('that the file no longer has is reported, and no other one', async () => {
    const store = await open()
    const entries = store.collection('auditEntries')
    for (const number of [1, 2]) await entries.insert(testAuditEntry({ _id: testId(number) }))
    await expect.poll(lines).toHaveLength(2)
    await replaceHistory(/changes(?=.*\n$)/, 'change"')
    const reading = entries.get({ _id: testId(2) })
    await expect(reading).rejects.toThrow(HistoryError)
    await expect(reading).rejects.toThrow(`${pathOf(HISTORY)} no longer has entry ${testId(2)} at byte `)
    expect((await entries.get({ _id: testId(1) }))?._id).toBe(testId(1))
  })

  test('of a line that no store wrote is kept as it was read', async () => {
    const entry = testAuditEntry()
    await fill((store) => store.collection('auditEntries').insert(entry))
    await replaceHistory(/\{("put":"auditEntries"),(.*)\}(?=\])/, '{$2,$1}')
    expect(await readFile(pathOf(HISTORY), 'utf8')).toMatch(/^\[\{"item"/)
    expect(await entriesOf(await open())).toEqual([entry])
  })

  test('that contains what separates entries in a line is read again', async () => {
    const value = [{}, { put: 'auditEntries', item: { _id: testId(3) } }]
    const changes = [{ type: 'modifiedVariable' as const, previousContents: null, newContents: { value } }]
    const entries = [testAuditEntry({ changes }), testAuditEntry()]
    await fill(async (store) => {
      await store.transaction(async (inside) => {
        for (const entry of entries) await inside.collection('auditEntries').insert(entry)
      })
    })
    expect(await entriesOf(await open())).toEqual(entries)
  })

  test('is found by its type and by texts in it, in any case', async () => {
    const added = [
      { type: 'modifiedFeature', newContents: { name: 'Straße "A\\b"' } },
      { type: 'modifiedProject', newContents: { name: 'the modifiedFeature' } },
      { type: 'deletedFeature', newContents: { limits: [12.5, true] } }
    ] as const
    await fill(async (store) => {
      for (const [index, change] of added.entries()) {
        const changes = [{ ...change, previousContents: null }]
        await store
          .collection('auditEntries')
          .insert(testAuditEntry({ _id: testId(index), position: index + 1, changes }))
      }
    })
    const store = await open()
    const find = async (query: AuditQuery) => (await listAuditEntries(store, {}, query)).items.map(({ _id }) => _id)
    expect(await find({ type: 'modifiedFeature' })).toEqual([testId(0)])
    expect(await find({ type: 'modifiedFeature', search: 'PROJECT' })).toEqual([])
    expect(await find({ search: 'MODIFIEDfeature' })).toEqual([testId(1)])
    expect(await find({ search: 'STRAßE' })).toEqual([testId(0)])
    expect(await find({ search: '"a\\B"' })).toEqual([testId(0)])
    expect(await find({ search: '2.5' })).toEqual([testId(2)])
    const { items, count } = await listAuditEntries(store, {}, { search: 'e', perPage: 1, page: 2, sortOrder: 'asc' })
    expect([items.map(({ _id }) => _id), count]).toEqual([[testId(1)], 3])
  })

  test('is not found by members that are not in memory', async () => {
    const entries = (await open()).collection('auditEntries')
    await expect(entries.list({ where: { address: '127.0.0.1' } })).rejects.toThrow(
      'auditEntries cannot be queried by address; the members in memory are _id, createdAt, '
    )
    await expect(entries.list({ search: { text: 'a', in: ['clientId'] } })).rejects.toThrow('queried by clientId')
    await expect(entries.get({ hash: '0' })).rejects.toThrow('queried by hash')
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
    expect(error.message).toMatch(
      /; restore a backup, or, to lose .*, set "historyLength" in db\.json to \d+ and remove its "checksum"/
    )
    expect(await contents()).toEqual(before)
    expect(disk.notices).toEqual([])
  })

  test('is truncated by hand as the message says', async () => {
    for (let count = 0; count < 3; count++) await fill(change)
    await replaceHistory(/(?<=\n).*(?=\n.*\n$)/, (line) => 'x'.repeat(line.length))
    const { message } = await open().catch((reason) => reason)
    const [, length] = /to lose the rest, set "historyLength" in db.json to (\d+)/.exec(message) ?? []
    const text = (await readFile(pathOf(DOCUMENT), 'utf8')).replace(/"historyLength":\d+/, `"historyLength":${length}`)
    await writeFile(pathOf(DOCUMENT), text)
    await expect(open()).rejects.toThrow('its checksum does not match its content')
    await writeFile(pathOf(DOCUMENT), text.replace(/"checksum":"\w+",/, ''))
    const store = await open()
    expect(disk.notices).toContainEqual(expect.stringContaining('db.json had no checksum'))
    expect((await readdir(disk.directory)).filter((name) => name.startsWith(`${HISTORY}.`))).toHaveLength(1)
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
  test('keeps neither the change nor its history', async () => {
    const store = await open()
    await change(store)
    await historyIsWritten()
    const before = await readFile(pathOf(HISTORY))
    await withoutCommitLog(async () => {
      await expect(change(store)).rejects.toThrow(StoreUnavailableError)
      expect(store.isWritable()).toBe(false)
      await expectAgreement(store, 1)
      expect(await readFile(pathOf(HISTORY))).toEqual(before)
    })
    await change(store)
    expect(store.isWritable()).toBe(true)
    await store.close()
    expect(await recordedLength()).toBe(await sizeOf(HISTORY))
    await expectAgreement(await open(), 2)
  })

  test('because its history was removed changes nothing, regardless of later writes', async () => {
    const store = await open()
    await change(store)
    await historyIsWritten()
    const before = await readFile(pathOf(COMMITS))
    await rm(pathOf(HISTORY))
    await expect(change(store)).rejects.toThrow(StoreUnavailableError)
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow('removed or replaced')
    await expectAgreement(store, 1)
    expect(await readFile(pathOf(COMMITS))).toEqual(before)
  })

  test('because its history was truncated changes nothing', async () => {
    const store = await open()
    await change(store)
    await historyIsWritten()
    await truncate(pathOf(HISTORY), 5)
    await expect(change(store)).rejects.toThrow(/lost \d+ bytes/)
    expect(await sizeOf(HISTORY)).toBe(5)
  })

  /** Entries are written after the acknowledgment. */
  async function historyIsWritten(): Promise<void> {
    await expect.poll(() => sizeOf(HISTORY)).toBeGreaterThan(0)
  }

  /** Moves the commit log of the store away, which has one commit. */
  async function withoutCommitLog(work: () => Promise<unknown>): Promise<void> {
    await rename(pathOf(COMMITS), pathOf('aside'))
    await work()
    await rename(pathOf('aside'), pathOf(COMMITS))
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

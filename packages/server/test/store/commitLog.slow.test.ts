import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, test } from 'vitest'
import type { StoredFeature } from '../../src/storage/resources/feature.ts'
import { type Store, StoreOpenError } from '../../src/storage/store.ts'
import { testAuditEntry, testId, testProject } from './conformance/fixtures.ts'
import { bundle } from './support/child.ts'
import { disk, fill, open, pathOf, STORE_FILES, useFileStore } from './support/fileStore.ts'

useFileStore()

const COMMITS = 'commits-2.jsonl'

describe('a commit log', () => {
  test('gets a line for each commit, and is part of the document after the store is closed', async () => {
    const store = await open()
    const document = await readFile(pathOf('db.json'))
    await change(store, 1)
    await change(store, 2)
    expect(await lines()).toHaveLength(2)
    expect(await readFile(pathOf('db.json'))).toEqual(document)
    await store.close()
    expect((await readdir(disk.directory)).sort()).toEqual(STORE_FILES)
    await expectChanges(await open(), 2)
  })

  test('is replayed by the start after a crash, even without the history that it added', async () => {
    await crashAfter(3)
    await truncate(pathOf('history.jsonl'), 20)
    await expectChanges(await open(), 3)
    expect(disk.notices).toEqual([])
    expect((await readdir(disk.directory)).some((name) => name.startsWith('commits-'))).toBe(false)
  })

  test('is ignored where the document has its commits', async () => {
    await crashAfter(2)
    const crashed = await readFile(pathOf(COMMITS))
    await fill()
    await writeFile(pathOf(COMMITS), crashed)
    await expectChanges(await open(), 2)
  })

  test('loses an incomplete last line, with a notice', async () => {
    await crashAfter(2)
    await truncate(pathOf(COMMITS), (await readFile(pathOf(COMMITS))).length - 5)
    await rm(pathOf('history.jsonl'))
    await expectChanges(await open(), 1)
    expect(disk.notices).toEqual([expect.stringMatching(/db\.json: ignored \d+ bytes of an incomplete commit/)])
  })

  test('loses a last line that a power failure left with NULs', async () => {
    await crashAfter(2)
    const bytes = await readFile(pathOf(COMMITS))
    await writeFile(pathOf(COMMITS), bytes.fill(0, bytes.length - 50, bytes.length - 10))
    await rm(pathOf('history.jsonl'))
    await expectChanges(await open(), 1)
  })

  test.each<[string, (all: string[]) => string[], RegExp]>([
    [
      'a changed line',
      ([one = '', ...rest]) => [one.replace('active', 'actlve').replace('Shop', 'Chop'), ...rest],
      /is damaged at line 1: its checksum/
    ],
    ['a missing line', ([one = '', , three = '']) => [one, three], /is damaged at line 2: commit 3 is missing/],
    ['an empty line', ([one = '', ...rest]) => [one, '', ...rest], /is damaged at line 2/],
    ['a changed last line', (all) => [...all.slice(0, -1), (all.at(-1) ?? '').replace('"put"', '"pot"')], /at line 3/]
  ])('prevents the start if it has %s', async (_, change, message) => {
    await crashAfter(3)
    const changed = change(await lines()).map((line) => `${line}\n`)
    await writeFile(pathOf(COMMITS), changed.join(''))
    const opening = open()
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(message)
    expect(await readFile(pathOf(COMMITS), 'utf8')).toBe(changed.join(''))
  })

  test('that was emptied after a crash leaves a history, which is moved to another file', async () => {
    await crashAfter(2)
    await writeFile(pathOf(COMMITS), '')
    await expectChanges(await open(), 0)
    expect(disk.notices).toEqual([expect.stringMatching(/history\.jsonl has \d+ bytes that no commit refers to/)])
  })

  test('refuses commits after its file was removed', async () => {
    const store = await open()
    await change(store, 1)
    await rm(pathOf(COMMITS))
    await expect(change(store, 2)).rejects.toThrow('removed or replaced')
    await expectChanges(store, 1)
  })

  test('is compacted by a thread while commits continue, and survives a crash at any moment', async () => {
    const program = await bundle(new URL('../../src/compactionProgram.ts', import.meta.url), await temporaryDirectory())
    const store = await open({ compactionProgram: pathToFileURL(program) })
    const before = await readFile(pathOf('db.json'))
    let count = 0
    while (count < 500 && (await readFile(pathOf('db.json'))).equals(before)) {
      await Promise.all([1, 2, 3, 4].map((one) => change(store, count + one, 'x'.repeat(20_000))))
      count += 4
      if (count % 100 === 0) await expectCopyToOpen(count)
    }
    const text = () => readFile(pathOf('db.json'), 'utf8')
    // The thread may need longer than the commits.
    await expect.poll(async () => JSON.parse(await text()).revision).toBeGreaterThan(10)
    await expect.poll(() => readdir(disk.directory)).not.toContain(COMMITS)
    await change(store, count + 1)
    await expectCopyToOpen(count + 1)
    await store.close()
    await expectChanges(await open(), count + 1)
  })
})

/** One change with its audit entry. */
async function change(store: Store, number: number, description = 'Shop'): Promise<void> {
  await store.transaction(async (inside) => {
    await inside.collection('projects').insert(testProject({ _id: testId(number), description }))
    await inside.collection('auditEntries').insert(testAuditEntry({ _id: testId(number) }))
  })
}

async function expectChanges(store: Store, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => testId(index + 1)).sort()
  expect((await store.collection('projects').list()).items.map(({ _id }) => _id)).toEqual(ids)
  expect((await store.collection('auditEntries').list()).items.map(({ _id }) => _id)).toEqual(ids)
}

/** Leaves the files of a store that was killed after some changes. */
async function crashAfter(count: number): Promise<void> {
  const store = await open()
  for (let number = 1; number <= count; number++) await change(store, number)
  const killed = await temporaryDirectory()
  const names = (await readdir(disk.directory)).filter((name) => !name.endsWith('.lock'))
  for (const name of names) await copyFile(pathOf(name), `${killed}/${name}`)
  await store.close()
  for (const name of names) await rename(`${killed}/${name}`, pathOf(name))
}

/** Expects that a copy of the directory, as a crash leaves it, opens with all changes. */
async function expectCopyToOpen(count: number): Promise<void> {
  const { directory } = disk
  const copy = await temporaryDirectory()
  // In the order of a backup: commits before the document that may replace them.
  const names = (await readdir(directory)).filter((name) => !/\.(lock|tmp)$/.test(name)).sort()
  for (const name of names) await copyFile(pathOf(name), `${copy}/${name}`).catch(() => {})
  disk.directory = copy
  await expectChanges(await open(), count)
  disk.directory = directory
}

async function lines(): Promise<string[]> {
  return (await readFile(pathOf(COMMITS), 'utf8')).split('\n').slice(0, -1)
}

test('a store warns once when it reaches 5,000 features, and at each start', async () => {
  let made = 0
  const insert = (count: number) => (store: Store) =>
    store.transaction(async (inside) => {
      for (let n = 0; n < count; n++) {
        const key = `feature-${++made}`
        // The store reads no other members.
        await inside.collection('features').insert({ _id: key, _project: 'p', key } as StoredFeature)
      }
    })
  await fill(insert(4_999))
  expect(disk.notices).toEqual([])
  await fill(async (store) => {
    await insert(1)(store)
    await insert(1)(store)
  })
  const warning = expect.stringMatching(
    /has 5000 features; a store in a directory is made for up to 5000, and its limit is 10000: use/
  )
  expect(disk.notices).toEqual([warning])
  await open()
  expect(disk.notices).toEqual([warning, expect.stringContaining('has 5001 features')])
})

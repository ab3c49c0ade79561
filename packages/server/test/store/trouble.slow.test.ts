import { renameSync, rmSync } from 'node:fs'
import { cp, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { type Change, type Store, StoreUnavailableError, UncertainWriteError } from '../../src/storage/store.ts'
import { testAuditEntry, testEdgeUser, testProject } from './conformance/fixtures.ts'
import { bundle, start } from './support/child.ts'
import { disk, open, STORE_FILES, useFileStore } from './support/fileStore.ts'

useFileStore()

describe('a directory that disappears temporarily', () => {
  test('fails writes and stores nothing of them, while reads continue', async () => {
    const store = await open()
    const shop = await store.collection('projects').insert(testProject({ key: 'shop' }))
    const changes: Change[] = []
    store.subscribe((change) => void changes.push(change))
    await withoutDisk(async () => {
      const writes = [
        store.collection('projects').update(shop._id, { name: 'Changed' }),
        store.collection('projects').insert(testProject()),
        store.collection('edgeUsers').insert(testEdgeUser())
      ]
      for (const outcome of await Promise.allSettled(writes)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError', cause: {} } })
      }
      expect(store.isWritable()).toBe(false)
      expect((await store.collection('projects').list()).items).toEqual([shop])
      expect(await store.transaction((inside) => inside.collection('projects').get({ key: 'shop' }))).toEqual(shop)
    })
    expect(changes).toEqual([])
    expect(store.isWritable()).toBe(false)
    const blog = await store.collection('projects').insert(testProject({ key: 'blog' }))
    expect(store.isWritable()).toBe(true)
    expect(changes).toEqual([{ writes: [{ collection: 'projects', after: blog }] }])
    expect(disk.notices).toEqual([
      expect.stringContaining('lost its directory while it wrote'),
      expect.stringContaining('can write again')
    ])
    expect(await afterReopening(store)).toEqual([shop, blog])
  })

  test('rejects every transaction that read dropped writes, even if the disk is back before it ends', async () => {
    const store = await open()
    const outcomes = await withoutDisk(async (back) => {
      const first = store.collection('projects').insert(testProject({ key: 'first' }))
      const second = store.transaction(async (inside) => {
        expect(await inside.collection('projects').get({ key: 'first' })).toBeDefined()
        await inside.collection('projects').insert(testProject({ key: 'second' }))
        await first.catch(() => {})
        await back()
      })
      const third = store.collection('projects').insert(testProject({ key: 'third' }))
      return Promise.allSettled([first, second, third])
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { name: 'StoreUnavailableError' } })
    const kept = await afterReopening(store)
    expect(kept.map((item) => item.key)).toEqual(['third'])
  })

  test('rejects writes that depend on a failed one, even if the disk is back at once', async () => {
    const away = `${disk.directory}-away`
    const store = await openStore(`file:${disk.directory}`, {
      onNotice: (message) => {
        if (message.includes('could not write')) renameSync(away, disk.directory)
      }
    })
    await rename(disk.directory, away)
    // Two files, two commits: the second one waits while the first one fails.
    const writes = [
      store.collection('projects').insert(testProject()),
      store.collection('edgeUsers').insert(testEdgeUser()),
      store.collection('projects').insert(testProject())
    ]
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await store.collection('projects').list()).count).toBe(0)
    const { _id } = await store.collection('edgeUsers').insert(testEdgeUser())
    await store.close()
    const again = await open()
    expect((await again.collection('projects').list()).count).toBe(0)
    expect((await again.collection('edgeUsers').list()).items.map((item) => item._id)).toEqual([_id])
  })

  test('reports no results that a transaction read from failed writes', async () => {
    const store = await open()
    await withoutDisk(async () => {
      const insertion = store.collection('projects').insert(testProject({ key: 'shop' }))
      const duplicate = store.collection('projects').insert(testProject({ key: 'shop' }))
      const reading = store.transaction((inside) => inside.collection('projects').get({ key: 'shop' }))
      for (const outcome of await Promise.allSettled([insertion, duplicate, reading])) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } })
      }
    })
  })

  test('keeps what follows an interrupted write and a purge', async () => {
    const program = await bundle(new URL('../../src/compactionProgram.ts', import.meta.url), await temporaryDirectory())
    const store = await open({ compactionProgram: pathToFileURL(program) })
    await store.collection('projects').insert(testProject({ key: 'before' }))
    await withoutDisk(async () => {
      const insertion = store.collection('projects').insert(testProject({ key: 'interrupted' }))
      await expect(insertion).rejects.toBeInstanceOf(UncertainWriteError)
    })
    await store.purgeUserData()
    await store.collection('projects').insert(testProject({ key: 'after' }))
    expect((await readAsAfterCrash()).map(({ key }) => key)).toEqual(['before', 'after'])
  })

  /** Returns the projects that a start would find if the process were killed now. */
  async function readAsAfterCrash() {
    const copy = join(await temporaryDirectory(), 'copy')
    await cp(disk.directory, copy, { recursive: true, filter: (path) => !path.endsWith('.lock') })
    disk.directory = copy
    return (await (await open()).collection('projects').list()).items
  }

  async function afterReopening(store: Store) {
    await store.close()
    return (await (await open()).collection('projects').list()).items
  }
})

test('reports a listener that failed', async () => {
  const store = await open()
  store.subscribe(() => {
    throw new Error('on purpose')
  })
  await store.collection('projects').insert(testProject())
  expect(disk.notices).toEqual([expect.stringContaining('on purpose')])
})

test('rejects writes that exceed the maximum file size, keeps the others, and recovers', async () => {
  const program = await bundle(new URL('./support/fillingChild.ts', import.meta.url), await temporaryDirectory())
  // A limit of 300 blocks of 512 bytes for each file simulates a full disk.
  const child = start('sh', '-c', 'ulimit -f 300; exec "$@"', 'sh', process.execPath, program, disk.directory)
  const { variables, edgeUsers, last } = JSON.parse(await child.output)
  for (const { kept, ...outcome } of [variables, edgeUsers]) {
    const failure = { error: 'StoreUnavailableError', cause: 'EFBIG' }
    expect(outcome).toEqual({ ...failure, readable: kept, isWritable: false, heals: true })
    expect(kept).toBeGreaterThan(5)
  }
  expect((await readdir(disk.directory)).sort()).toEqual(STORE_FILES)
  expect(last).toBe('StoreUnavailableError')
  const store = await open()
  expect(disk.notices).toEqual([])
  expect((await store.collection('variables').list()).count).toBe(variables.kept - 1)
  expect((await store.collection('edgeUsers').list()).count).toBe(edgeUsers.kept - 1)
})

test.each(['users', 'variables'])('stays unwritable while only small changes of %s fit on its disk', async (items) => {
  const program = await bundle(new URL('./support/smallWritesChild.ts', import.meta.url), await temporaryDirectory())
  const limited = ['-c', 'ulimit -f 300; exec "$@"', 'sh', process.execPath, program]
  const child = start('sh', ...limited, disk.directory, await temporaryDirectory(), items)
  expect(JSON.parse(await child.output)).toEqual({ kept: 3, isWritable: false })
})

test('keeps an audit entry whose history could not be written, and writes it at the next start', async () => {
  const program = await bundle(new URL('./support/historyChild.ts', import.meta.url), await temporaryDirectory())
  // The log of commits starts anew, so the history reaches the limit of 300 blocks of 512 bytes first.
  const filling = await open()
  const newContents = { name: 'x'.repeat(10_000) }
  for (let count = 0; count < 10; count++) {
    const changes = [{ type: 'modifiedProject' as const, newContents, previousContents: null }]
    await filling.collection('auditEntries').insert(testAuditEntry({ changes }))
  }
  await filling.close()
  const child = start('sh', '-c', 'ulimit -f 300; exec "$@"', 'sh', process.execPath, program, disk.directory)
  const { added, whole, notices } = JSON.parse(await child.output)
  // The history is written by the next commit, which fails, or on its own.
  expect(notices).toContainEqual(expect.stringMatching(/(history\.jsonl is incomplete|nothing was changed): EFBIG/))
  expect(added).toBeGreaterThan(2)
  expect(whole).toBe(10 + added)
  const { items } = await (await open()).collection('auditEntries').list()
  expect(items.filter(({ changes }) => changes[0]?.newContents?.name === newContents.name)).toHaveLength(10 + added)
})

describe('an idle store', () => {
  test('becomes writable once its disk is', async () => {
    const store = await open()
    await withoutDisk(async () => {
      await expect(store.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
    })
    expect(store.isWritable()).toBe(false)
    await expect.poll(() => store.isWritable()).toBe(true)
    expect(disk.notices.filter((notice) => notice === 'the store can write again')).toHaveLength(1)
  })

  test('does not become writable because another of its files is', async () => {
    const store = await open()
    await store.collection('edgeUsers').insert(testEdgeUser())
    rmSync(join(disk.directory, 'users.jsonl'))
    await expect(store.collection('edgeUsers').insert(testEdgeUser())).rejects.toThrow(StoreUnavailableError)
    await store.collection('projects').insert(testProject())
    // Another store whose trouble began later can write again, so this one has checked its files before.
    disk.directory = await temporaryDirectory()
    const other = await open()
    await withoutDisk(async () => {
      await expect(other.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
    })
    disk.notices = []
    await expect.poll(() => other.isWritable()).toBe(true)
    expect(store.isWritable()).toBe(false)
    expect(disk.notices).toEqual(['the store can write again'])
  })
})

/** Moves the store's directory away during the work, or until it is moved back. */
async function withoutDisk<T>(work: (back: () => Promise<void>) => Promise<T>): Promise<T> {
  const away = `${disk.directory}-away`
  await rename(disk.directory, away)
  const back = async () => {
    if ((await readdir(disk.directory).catch(() => undefined)) === undefined) await rename(away, disk.directory)
  }
  try {
    return await work(back)
  } finally {
    await back()
  }
}

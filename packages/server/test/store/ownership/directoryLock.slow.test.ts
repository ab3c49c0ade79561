import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, describe, expect, test } from 'vitest'
import { type LockOwner, readCurrentOwner } from '../../../src/storage/lowdb/lock/lockOwner.ts'
import { StoreLockedError, type StoreLostError, StoreUnavailableError } from '../../../src/storage/store.ts'
import { testEdgeUser, testProject } from '../conformance/fixtures.ts'
import { bundle, start } from '../support/child.ts'
import { disk, fill, open, pathOf, useFileStore } from '../support/fileStore.ts'

useFileStore()

const LOCK = 'db.json.lock'

/** A lock is stale later than any pause of a busy machine. */
const timings = { heartbeatMs: 50, staleMs: 15_000 }

describe('an open directory', () => {
  test('cannot be opened a second time by the same process', async () => {
    const store = await open()
    await expect(open()).rejects.toThrow(StoreLockedError)
    await expect(open()).rejects.toThrow(`${pathOf(LOCK)} is held by this process`)
    await store.collection('projects').insert(testProject())
    await store.close()
    expect((await (await open()).collection('projects').list()).count).toBe(1)
  })

  test('cannot be opened by another process, and is available at once after that was killed', async () => {
    const child = start(
      process.execPath,
      await bundle(new URL('../support/writingChild.ts', import.meta.url), await temporaryDirectory()),
      disk.directory
    )
    await expect.poll(() => stat(pathOf('burgee.store')).catch(() => undefined)).toBeDefined()
    const opening = open()
    await expect(opening).rejects.toThrow(StoreLockedError)
    await expect(opening).rejects.toThrow(
      new RegExp(`is held by process ${child.process.pid} on host \\S+, which is running; close`)
    )
    child.process.kill('SIGKILL')
    await child.exit
    await open()
    // A start may also report a truncated unfinished commit.
    expect(disk.notices[0]).toContain('it is no longer running')
  })

  test('renews its lock with each heartbeat', async () => {
    await open({ timings })
    const { mtimeMs } = await stat(pathOf(LOCK))
    await expect.poll(async () => (await stat(pathOf(LOCK))).mtimeMs).toBeGreaterThan(mtimeMs)
  })
})

describe('a lock of another process', () => {
  const dead = 2 ** 22 + 1
  let beating: NodeJS.Timeout | undefined

  afterEach(() => clearInterval(beating))

  test.each<[string, (self: LockOwner) => object]>([
    ['whose process has ended', (self) => ({ ...self, pid: dead })],
    ['whose process number belongs to another process now', (self) => ({ ...self, startedAt: 'earlier' })]
  ])('%s is taken over at once', async (_, owner) => {
    await hold(owner)
    await open()
    expect(disk.notices).toEqual([expect.stringMatching(/taken over: it is no longer running$/)])
  })

  test.each<[string, (self: LockOwner) => object]>([
    ['in another container', (self) => ({ ...self, pidNamespace: 'pid:[1]' })],
    ['on another machine', (self) => ({ ...self, bootId: 'another' })],
    ['of an earlier version', ({ pid, bootId, startedAt }) => ({ pid, bootId, startedAt })]
  ])('%s is taken over when no heartbeat comes', async (_, owner) => {
    await hold(owner)
    const before = performance.now()
    await open({ timings: { ...timings, staleMs: 1_500 } })
    expect(performance.now() - before).toBeGreaterThan(750)
    expect(disk.notices).toEqual([
      expect.stringMatching(/waiting up to 2 s for its heartbeat/),
      expect.stringMatching(/is taken over: it has given no heartbeat for 2 s$/)
    ])
  })

  test.each<[string, (self: LockOwner) => object]>([
    // Each container has a process 1, and so a process with the same id as this one.
    ['with our process number in another container', (self) => ({ ...self, pidNamespace: 'pid:[1]' })],
    ['on another machine, whose clock is an hour ahead', (self) => ({ ...self, bootId: 'another' })],
    ['of an earlier version', ({ pid, bootId, startedAt }) => ({ pid, bootId, startedAt })]
  ])('%s is respected once a heartbeat comes', async (name, owner) => {
    await hold(owner)
    const skew = name.includes('ahead') ? 3_600_000 : 0
    beating = setInterval(() => void beat((Date.now() + skew) / 1_000), 100)
    await expect(open({ timings })).rejects.toThrow(StoreLockedError)
  })

  test('is taken over after a minute without a heartbeat, without waiting', async () => {
    await hold((self) => ({ ...self, pidNamespace: 'pid:[1]' }))
    await beat(Date.now() / 1_000 - 60)
    await open()
    expect(disk.notices).toEqual([expect.stringMatching(/its last heartbeat was [67]\d s ago/)])
  })

  test('is taken over while its process runs, if that has given no heartbeat for 15 s', async () => {
    await hold((self) => self)
    await beat(Date.now() / 1_000 - 16)
    await open()
    expect(disk.notices).toEqual([expect.stringMatching(/its last heartbeat was [123]\d s ago/)])
  })

  test('is respected while its process runs', async () => {
    await hold((self) => self)
    await beat(Date.now() / 1_000 - 10)
    await expect(open()).rejects.toThrow(`held by process ${process.pid}`)
  })

  test.each(['', '\0\0\0', '{"pid":"1"}'])(
    'without a name (%j) is taken over when no heartbeat comes',
    async (text) => {
      await fill()
      await writeFile(pathOf(LOCK), text)
      const before = performance.now()
      await beat(Date.now() / 1_000 - 13)
      await open()
      expect(performance.now() - before).toBeGreaterThan(1_500)
      expect(disk.notices).toEqual([
        expect.stringMatching(/names an unknown process; waiting up to 2 s for its heartbeat/),
        expect.stringMatching(/is taken over: it has given no heartbeat for 15 s$/)
      ])
    }
  )

  test('without a name is respected once a heartbeat comes: a full disk can prevent the name', async () => {
    await fill()
    await writeFile(pathOf(LOCK), '')
    beating = setInterval(() => void beat(Date.now() / 1_000), 100)
    const refused = open({ timings })
    await expect(refused).rejects.toThrow(StoreLockedError)
    await expect(refused).rejects.toThrow(/is held by an unknown process, which is running/)
  })

  /** Leaves a lock of another start of this process, changed by `owner`. */
  async function hold(owner: (self: LockOwner) => object): Promise<void> {
    await fill()
    const other = owner({ ...(await readCurrentOwner()), startId: randomUUID() })
    await writeFile(pathOf(LOCK), JSON.stringify(other))
  }

  async function beat(time: number): Promise<void> {
    await utimes(pathOf(LOCK), time, time)
  }
})

test('a lock that is a directory is refused with the remedy', async () => {
  await mkdir(pathOf(LOCK))
  await expect(open()).rejects.toThrow(
    `${pathOf(LOCK)} is not a file, so the directory cannot be locked; remove it, and mount the directory of the store instead of single files`
  )
})

describe('a store whose lock was taken over', () => {
  test('notices it without writing, and reports it once', async () => {
    const losses: StoreLostError[] = []
    const store = await open({ timings, onLost: (error) => losses.push(error) })
    await takeOver()
    await expect.poll(() => losses.length).toBe(1)
    expect(losses[0]?.message).toContain(`${pathOf(LOCK)} was taken over by process 7 on host other`)
    expect(store.isWritable()).toBe(false)
    await expect(store.assertOwned()).rejects.toThrow('taken over by process 7')
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
    expect(losses).toHaveLength(1)
  })

  test('refuses writes before its next heartbeat, and leaves files and lock as they are', async () => {
    const losses: StoreLostError[] = []
    const store = await open({ onLost: (error) => losses.push(error) })
    await store.collection('projects').insert(testProject())
    await takeOver()
    const before = await readFile(pathOf('db.json'))
    for (const insertion of [
      store.collection('projects').insert(testProject()),
      store.collection('edgeUsers').insert(testEdgeUser())
    ]) {
      await expect(insertion).rejects.toThrow(StoreUnavailableError)
      await expect(insertion).rejects.toThrow('taken over by process 7')
    }
    expect((await store.collection('projects').list()).count).toBe(1)
    expect(await readFile(pathOf('db.json'))).toEqual(before)
    expect(losses).toHaveLength(1)
    await store.close()
    expect(JSON.parse(await readFile(pathOf(LOCK), 'utf8')).pid).toBe(7)
  })

  test('tolerates a directory that is temporarily missing', async () => {
    const losses: StoreLostError[] = []
    const store = await open({ timings, onLost: (error) => losses.push(error) })
    await rename(disk.directory, `${disk.directory}-away`)
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow(StoreUnavailableError)
    await expect(store.assertOwned()).rejects.toThrow('is missing')
    await rename(`${disk.directory}-away`, disk.directory)
    const { mtimeMs } = await stat(pathOf(LOCK))
    await expect.poll(async () => (await stat(pathOf(LOCK))).mtimeMs).toBeGreaterThan(mtimeMs)
    await store.collection('projects').insert(testProject())
    expect(losses).toEqual([])
  })

  test('treats a lock that was removed by hand as lost', async () => {
    const losses: StoreLostError[] = []
    await open({ timings, onLost: (error) => losses.push(error) })
    await rm(pathOf(LOCK))
    await expect.poll(() => losses.length).toBe(1)
    expect(losses[0]?.message).toContain(`${pathOf(LOCK)} was removed`)
  })

  async function takeOver(): Promise<void> {
    await rm(pathOf(LOCK))
    await writeFile(pathOf(LOCK), JSON.stringify({ ...(await readCurrentOwner()), pid: 7, host: 'other' }))
  }
})

import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, test, vi } from 'vitest'
import { testProject } from '../../src/storage/conformance.ts'
import { type LockOwner, readCurrentOwner } from '../../src/storage/lowdb/lockOwner.ts'
import { StoreOpenError, StoreUnavailableError } from '../../src/storage/store.ts'
import { bundle, start } from './child.ts'
import { disk, fill, open, pathOf, useFileStore } from './fileStore.ts'

useFileStore()

describe('a directory that is open', () => {
  test('cannot be opened a second time by the same process', async () => {
    const store = await open()
    await expect(open()).rejects.toThrow(StoreOpenError)
    await expect(open()).rejects.toThrow(`${pathOf('db.json.lock')} is held by this very process`)
    await store.collection('projects').insert(testProject())
    await store.close()
    expect((await (await open()).collection('projects').list()).count).toBe(1)
  })

  test('cannot be opened by another process, and is free again after that was killed', async () => {
    const child = start(
      process.execPath,
      await bundle(new URL('./writingChild.ts', import.meta.url), await temporaryDirectory()),
      disk.directory
    )
    await expect.poll(() => stat(pathOf('burgee.store')).catch(() => undefined), { timeout: 5_000 }).toBeDefined()
    const opening = open()
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(`is held by process ${child.process.pid}, which is running; close`)
    child.process.kill('SIGKILL')
    await child.exit
    await open()
    // The commit that the process died in may have left something to cut away, which is told too.
    expect(disk.notices[0]).toContain('it is no longer running')
  })

  test('shows every few seconds that its process lives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() + 3_600_000 })
    try {
      await open()
      vi.advanceTimersByTime(5_000)
      const now = Date.now()
      await expect.poll(async () => (await stat(pathOf('db.json.lock'))).mtimeMs).toBeCloseTo(now, -2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('refuses writes after another process has taken it, and leaves that one its lock', async () => {
    const store = await open()
    await store.collection('projects').insert(testProject())
    await rm(pathOf('db.json.lock'))
    await writeFile(pathOf('db.json.lock'), 'another')
    const before = await readFile(pathOf('db.json'))
    const insertion = store.collection('projects').insert(testProject())
    await expect(insertion).rejects.toThrow(StoreUnavailableError)
    await expect(insertion).rejects.toThrow('another process has taken it')
    expect(store.isWritable()).toBe(false)
    expect((await store.collection('projects').list()).count).toBe(1)
    expect(await readFile(pathOf('db.json'))).toEqual(before)
    await store.close()
    expect(await readFile(pathOf('db.json.lock'), 'utf8')).toBe('another')
  })
})

describe('a lock that was left behind', () => {
  const dead = 2 ** 22 + 1

  test.each<[string, (self: LockOwner) => object]>([
    ['by a process that no longer runs', (self) => ({ ...self, pid: dead })],
    ['before the machine was restarted', (self) => ({ ...self, pid: process.ppid, bootId: 'another' })],
    ['by an earlier process of the same number', (self) => ({ ...self, startedAt: 'earlier' })]
  ])('%s is taken over', async (_, owner) => {
    await fill()
    await writeFile(pathOf('db.json.lock'), JSON.stringify(owner(await readCurrentOwner())))
    await open()
    expect(disk.notices).toEqual([expect.stringContaining('taken over')])
  })

  test('by a process that shows no sign of life is taken over', async () => {
    await holdAsOther(16)
    await open()
    expect(disk.notices).toEqual([expect.stringContaining('no sign of life')])
  })

  test('is respected as long as its process may be alive', async () => {
    await holdAsOther(10)
    await expect(open()).rejects.toThrow(`held by process ${process.ppid}`)
  })

  test.each(['', '\0\0\0', '{"pid":"1"}'])('without a name (%j) is taken over after a second', async (text) => {
    await fill()
    await writeFile(pathOf('db.json.lock'), text)
    await open()
    expect(disk.notices).toEqual([expect.stringContaining('before it wrote its name')])
  })

  async function holdAsOther(secondsAgo: number): Promise<void> {
    await fill()
    await writeFile(pathOf('db.json.lock'), JSON.stringify({ ...(await readCurrentOwner()), pid: process.ppid }))
    const then = Date.now() / 1_000 - secondsAgo
    await utimes(pathOf('db.json.lock'), then, then)
  }
})

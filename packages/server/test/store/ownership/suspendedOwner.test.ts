import { rmSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  type FileHandle,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile
} from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readCurrentOwner } from '../../../src/storage/lowdb/lock/lockOwner.ts'
import { UncertainWriteError } from '../../../src/storage/store.ts'
import { testAuditEntry, testEdgeUser, testProject } from '../conformance/fixtures.ts'
import { disk, fill, open, pathOf, useFileStore } from '../support/fileStore.ts'

/** What every open file inherits. */
let files: FileHandle
/** The lock of another process. */
let nextOwner: string

useFileStore()
beforeEach(async () => {
  const file = await openFile(pathOf('.probe'), 'w')
  files = Object.getPrototypeOf(file)
  await file.close()
  await rm(pathOf('.probe'))
  nextOwner = JSON.stringify({ ...(await readCurrentOwner()), startId: 'of-the-next-owner', pid: 7, host: 'other' })
})
afterEach(() => vi.restoreAllMocks())

describe('a store whose directory was taken over', () => {
  test('keeps the history of the next owner', async () => {
    const store = await open()
    await store.collection('auditEntries').insert(testAuditEntry())
    await historyIsFlushed()
    takeOver()
    await appendFile(pathOf('history.jsonl'), '[{"put":"auditEntries","item":{"_id":"of-the-next-owner"}}]\n')
    const before = await readFile(pathOf('history.jsonl'), 'utf8')
    await expect(store.collection('projects').insert(testProject())).rejects.toThrow('taken over by process 7')
    await store.close()
    expect((await readdir(disk.directory)).filter((name) => name.startsWith('history.jsonl.'))).toEqual([])
    expect(await readFile(pathOf('history.jsonl'), 'utf8')).toBe(before)
  })

  test('does not append the entries of its last commit to the history', async () => {
    const store = await open()
    await store.collection('auditEntries').insert(testAuditEntry())
    // Synchronously: the lines are appended in a later turn.
    takeOver()
    await store.close()
    expect(await readFile(pathOf('history.jsonl'), 'utf8')).toBe('')
    expect(disk.notices.filter((notice) => notice.includes('incomplete'))).toEqual([])
  })

  test('removes no length record of the next owner', async () => {
    const store = await open()
    await store.collection('edgeUsers').insert(testEdgeUser())
    takeOver()
    await writeFile(pathOf('users.length'), '12345\n')
    await expect(store.purgeUserData()).rejects.toThrow('taken over by process 7')
    await store.close()
    expect(await readFile(pathOf('users.length'), 'utf8')).toBe('12345\n')
  })

  test.each([
    ['projects', testProject],
    ['edgeUsers', testEdgeUser]
  ] as const)('does not acknowledge a write to %s that was in progress', async (name, testItem) => {
    const store = await open()
    await store.collection('projects').insert(testProject())
    interruptAppend(async () => {
      takeOver()
      // The next owner has put the commits so far into its document.
      for (const file of await readdir(disk.directory)) if (file.startsWith('commits-')) await rm(pathOf(file))
    })
    const inserted = store.collection(name).insert(testItem() as never)
    await expect(inserted).rejects.toThrow('taken over by process 7')
    await expect(inserted).rejects.toBeInstanceOf(UncertainWriteError)
    expect(store.isWritable()).toBe(false)
  })

  test('cuts nothing off the user data of the next owner after a failed write', async () => {
    const store = await open()
    interruptAppend(async () => {
      takeOver()
      await appendFile(pathOf('users.jsonl'), 'of the next owner\n')
      throw new Error('the disk is gone')
    })
    await expect(store.collection('edgeUsers').insert(testEdgeUser())).rejects.toThrow('the disk is gone')
    await expect(store.collection('edgeUsers').insert(testEdgeUser())).rejects.toThrow('taken over by process 7')
    expect(await readFile(pathOf('users.jsonl'), 'utf8')).toContain('of the next owner\n')
  })
})

describe('a start that takes a directory over', () => {
  test.each(['history.jsonl', 'users.jsonl'])('replaces %s, to which a suspended owner can append', async (name) => {
    await fill(async (store) => {
      await store.collection('auditEntries').insert(testAuditEntry())
      await store.collection('edgeUsers').insert(testEdgeUser())
    })
    const before = await readFile(pathOf(name), 'utf8')
    // Of another machine, so that it is unknown whether it has ended.
    await leaveLock(JSON.stringify({ ...JSON.parse(nextOwner), bootId: 'other' }))
    const former = await openFile(pathOf(name), 'a')
    try {
      const store = await open()
      await former.appendFile('of the suspended owner\n')
      await former.sync()
      await store.collection('projects').insert(testProject())
      expect(await readFile(pathOf(name), 'utf8')).toBe(before)
      expect(disk.notices.filter((notice) => notice.includes(name))).toEqual([])
      await store.close()
    } finally {
      await former.close()
    }
  })

  test('keeps the files of an owner that has ended', async () => {
    await fill((store) => store.collection('auditEntries').insert(testAuditEntry()))
    const { ino } = await stat(pathOf('history.jsonl'))
    await leaveLock(JSON.stringify({ ...(await readCurrentOwner()), startId: 'of-an-earlier-run', startedAt: '1' }))
    await open()
    expect((await stat(pathOf('history.jsonl'))).ino).toBe(ino)
  })
})

/** Takes the directory over, as another process. */
function takeOver(): void {
  rmSync(pathOf('db.json.lock'))
  writeFileSync(pathOf('db.json.lock'), nextOwner)
}

/** Leaves a lock whose last heartbeat is a minute old. */
async function leaveLock(owner: string): Promise<void> {
  await writeFile(pathOf('db.json.lock'), owner)
  const before = new Date(Date.now() - 60_000)
  await utimes(pathOf('db.json.lock'), before, before)
}

async function historyIsFlushed(): Promise<void> {
  await expect.poll(() => readFile(pathOf('history.jsonl'), 'utf8')).not.toBe('')
}

/** Suspends the process right before its next append, while `meanwhile` runs. */
function interruptAppend(meanwhile: () => Promise<void>): void {
  const append = files.appendFile
  vi.spyOn(files, 'appendFile').mockImplementationOnce(async function (this: FileHandle, ...args) {
    await meanwhile()
    return append.apply(this, args)
  })
}

import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, test } from 'vitest'
import { checkDirectory } from '../../src/storage/check/checkDirectory.ts'
import type { Finding } from '../../src/storage/check/finding.ts'
import { createItemCodec } from '../../src/storage/encryption/itemCodec.ts'
import { Journal } from '../../src/storage/lowdb/journal.ts'
import { StoreOpenError } from '../../src/storage/store.ts'
import { buildState } from '../../src/storage/tables/storeState.ts'
import { testEdgeUser } from './conformance/fixtures.ts'
import { disk, fill, open, pathOf, useFileStore } from './support/fileStore.ts'

test('a journal keeps the old file when compaction fails', async () => {
  // A name of maximal length leaves no room for the name of a temporary file.
  const path = join(await temporaryDirectory(), 'u'.repeat(255))
  const notices: string[] = []
  const codec = createItemCodec([], undefined)
  const journal = new Journal(path, (message) => notices.push(message))
  await journal.open(codec)
  const [ann, bob] = [testEdgeUser(), testEdgeUser()]
  const empty = buildState({})
  await journal.append([[{ collection: 'edgeUsers', after: ann }]], empty)
  await journal.append([[{ collection: 'edgeUsers', before: ann }]], buildState({ edgeUsers: [ann] }))
  await journal.compact(empty)
  expect(notices).toEqual([expect.stringContaining('could not be compacted')])
  await journal.append([[{ collection: 'edgeUsers', after: bob }]], empty)
  await journal.close()
  const again = new Journal(path, (message) => notices.push(message))
  const { items } = await again.open(codec)
  await again.close()
  expect([...(items.edgeUsers ?? [])]).toEqual([bob])
})

describe('a journal that is shorter than it was', () => {
  useFileStore()

  test.each<[string, (path: string) => Promise<void>]>([
    ['emptied', (path) => writeFile(path, '')],
    ['cut at the end of a line', async (path) => truncate(path, (await readFile(path)).indexOf('\n') + 1)],
    ['cut in a line', async (path) => truncate(path, (await readFile(path)).length - 5)]
  ])('prevents the start: %s', async (_, shorten) => {
    await fill(async (store) => {
      for (let count = 0; count < 3; count++) await store.collection('edgeUsers').insert(testEdgeUser())
    })
    await shorten(pathOf('users.jsonl'))
    const left = await readFile(pathOf('users.jsonl'))
    await expect(open()).rejects.toThrow(StoreOpenError)
    await expect(open()).rejects.toThrow(
      /users\.jsonl has only \d+ of \d+ bytes; restore a backup, .+, or delete \S+users\.length/
    )
    // An incomplete last line is evidence too.
    expect(await readFile(pathOf('users.jsonl'))).toEqual(left)
    await expect(open()).rejects.toThrow(`has only ${left.length} of `)
    await rm(pathOf('users.length'))
    const store = await open()
    expect((await store.collection('edgeUsers').list()).count).toBeLessThan(3)
  })

  test('is not detected without a usable length, which a start and a check report', async () => {
    await fill((store) => store.collection('edgeUsers').insert(testEdgeUser()))
    await writeFile(pathOf('users.length'), '4730 bytes\n')
    const problem = 'contains "4730 bytes" instead of a number of bytes'
    const findings: Finding[] = []
    for await (const finding of checkDirectory(disk.directory)) findings.push(finding)
    expect(findings).toContainEqual({ file: 'users.length', problem })
    const notices: string[] = []
    const store = await open({ onNotice: (message) => void notices.push(message) })
    expect(notices).toEqual([expect.stringContaining(`${pathOf('users.length')} ${problem}`)])
    await store.close()
    expect(await readFile(pathOf('users.length'), 'utf8')).toMatch(/^\d+\n$/)
  })

  test('is accepted after a compaction, and after a crash in one', async () => {
    await fill(async (store) => {
      const user = await store.collection('edgeUsers').insert(testEdgeUser())
      for (let count = 0; count < 50; count++) {
        await store.collection('edgeUsers').update(user._id, { country: count % 2 === 0 ? 'CA' : 'DE' })
      }
    })
    const long = (await readFile(pathOf('users.jsonl'))).length
    expect(Number(await readFile(pathOf('users.length'), 'utf8'))).toBe(long)
    const store = await open()
    expect((await readFile(pathOf('users.jsonl'))).length).toBeLessThan(long)
    expect((await store.collection('edgeUsers').list()).count).toBe(1)
    await store.close()
    await expect(open()).resolves.toBeDefined()
  })
})

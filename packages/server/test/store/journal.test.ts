import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, test } from 'vitest'
import { testEdgeUser } from '../../src/storage/conformance.ts'
import { createItemCodec } from '../../src/storage/encryption/itemCodec.ts'
import { Journal } from '../../src/storage/lowdb/journal.ts'
import { buildState } from '../../src/storage/tables/storeState.ts'

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
  const { items } = await new Journal(path, (message) => notices.push(message)).open(codec)
  expect([...(items.edgeUsers ?? [])]).toEqual([bob])
})

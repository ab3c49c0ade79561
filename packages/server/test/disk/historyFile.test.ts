import { EventEmitter, once } from 'node:events'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatHistory, HistoryFile } from '../../src/storage/lowdb/history/historyFile.ts'
import { buildState } from '../../src/storage/tables/storeState.ts'
import { testAuditEntry } from '../store/conformance/fixtures.ts'

let path: string
let notices: string[]
let history: HistoryFile
/** What every open file inherits. */
let files: FileHandle
/** The length of the history of all commits. */
let length: number

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'history.jsonl')
  notices = []
  length = 0
  history = new HistoryFile(
    path,
    (message) => notices.push(message),
    async () => {}
  )
  await history.open(0, [])
  const file = await open(path)
  files = Object.getPrototypeOf(file)
  await file.close()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await history.close()
})

/** Adds the history of a commit, which is durable; returns its lines. */
function commit(): string {
  const added = formatHistory([[{ collection: 'auditEntries', after: testAuditEntry() }]], length)
  length += Buffer.byteLength(added.lines)
  history.append(added, buildState({}))
  return added.lines
}

test('a compaction waits for history that is being written', async () => {
  const append = files.appendFile
  const gate = new EventEmitter()
  const started = once(gate, 'started')
  const allowed = once(gate, 'allowed')
  vi.spyOn(files, 'appendFile').mockImplementationOnce(async function (this: FileHandle, data) {
    gate.emit('started')
    await allowed
    return append.call(this, data)
  })
  const lines = commit()
  await started
  const more = commit()
  const synced = history.sync()
  gate.emit('allowed')
  await synced
  expect(await readFile(path, 'utf8')).toBe(lines + more)
  expect(notices).toEqual([])
})

describe('a write that stored only a part because the disk was full for a moment', () => {
  /** Lets the next append write this many bytes and fail. */
  function failAfter(bytes: (data: Buffer) => number): void {
    const append = files.appendFile
    vi.spyOn(files, 'appendFile').mockImplementationOnce(async function (this: FileHandle, data) {
      const text = data as Buffer
      await append.call(this, text.subarray(0, bytes(text)))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    })
  }

  test.each<[string, (data: Buffer) => number]>([
    ['half a line', (data) => data.length / 2],
    ['whole lines', (data) => data.length]
  ])('is repeated by the next one: %s', async (_, bytes) => {
    failAfter(bytes)
    const lines = [commit()]
    await expect(history.sync()).rejects.toThrow(/lacks \d+ bytes of commits/)
    lines.push(commit())
    await history.sync()
    expect(await readFile(path, 'utf8')).toBe(lines.join(''))
    expect(notices).toEqual([expect.stringContaining('history.jsonl is incomplete: ENOSPC')])
  })

  test('is repeated before a compaction', async () => {
    failAfter((data) => data.length / 2)
    const lines = commit()
    await expect(history.sync()).rejects.toThrow(/lacks/)
    await history.prepare()
    await history.sync()
    expect(await readFile(path, 'utf8')).toBe(lines)
  })
})

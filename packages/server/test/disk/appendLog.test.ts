import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeEach, describe, expect, test } from 'vitest'
import { openAppendLog } from '../../src/storage/disk/appendLog.ts'
import { readLines } from '../../src/storage/disk/readLines.ts'
import { UncertainWriteError } from '../../src/storage/store.ts'

let path: string

beforeEach(async () => {
  path = join(await temporaryDirectory(), 'events.jsonl')
})

test('an append log refuses to write to a deleted file', async () => {
  const log = await openAppendLog(path)
  await log.append('kept')
  await rm(path)
  await expect(log.append('lost')).rejects.toThrow(`${path} was removed or replaced`)
  await log.close()
})

describe('an append log that is checked after its syncs', () => {
  let isOwned = true
  let isSuspended = false
  const assertOwned = async () => {
    if (!isOwned) throw new Error('taken over')
  }
  const options = {
    assertOwned,
    isExclusive: true,
    assertNotSuspended: async () => {
      if (isSuspended) throw new Error('taken over meanwhile')
    }
  }

  beforeEach(() => {
    isOwned = true
    isSuspended = false
  })

  test('writes nothing after a suspension in which it lost the directory', async () => {
    const log = await openAppendLog(path, options)
    await log.append('kept')
    isSuspended = true
    const refused = log.append('refused')
    await expect(refused).rejects.toThrow('taken over meanwhile')
    await expect(refused).rejects.not.toBeInstanceOf(UncertainWriteError)
    await log.close()
    expect(await contents()).toEqual(['kept'])
  })

  test('does not acknowledge a line that was written when another process owned the directory', async () => {
    const log = await openAppendLog(path, options)
    isOwned = false
    await expect(log.append('late')).rejects.toThrow(UncertainWriteError)
    isOwned = true
    await log.append('next')
    await log.close()
    expect(await contents()).toEqual(['next'])
  })

  test('cuts such a line off as the owner, and leaves it to the next owner otherwise', async () => {
    const log = await openAppendLog(path, options)
    await log.append('kept')
    isOwned = false
    await expect(log.append('late')).rejects.toThrow(UncertainWriteError)
    await expect(log.cut()).rejects.toThrow('taken over')
    expect(await contents()).toEqual(['kept', 'late'])
    isOwned = true
    await log.cut()
    await log.close()
    expect(await contents()).toEqual(['kept'])
  })

  test('reports a line as uncertain that another check rejects when it can no longer be cut off', async () => {
    const prepare = async () => {
      // Until then, the owner is checked once more.
      await setImmediate()
      isOwned = false
      throw new Error('the history is gone')
    }
    const log = await openAppendLog(path, { ...options, prepare })
    const refused = log.append('refused')
    await expect(refused).rejects.toThrow('taken over')
    await expect(refused).rejects.toBeInstanceOf(UncertainWriteError)
    await log.close()
  })

  test('cuts off what another process wrote, together with the line that follows', async () => {
    const log = await openAppendLog(path, options)
    await log.append('one')
    await appendFile(path, 'of another process\n')
    await expect(log.append('two')).rejects.toThrow('was written to by another process')
    await log.append('three')
    await log.close()
    expect(await contents()).toEqual(['one', 'three'])
  })

  test('keeps no line that another check rejects, and leaves nothing of a probe', async () => {
    let problem: string | undefined = 'the history is gone'
    const prepare = async () => {
      if (problem !== undefined) throw new Error(problem)
    }
    const log = await openAppendLog(path, { ...options, prepare })
    await expect(log.append('refused')).rejects.toThrow('the history is gone')
    await expect(log.probe()).rejects.toThrow('the history is gone')
    problem = undefined
    await log.probe()
    await log.append('kept')
    await log.close()
    expect(await readFile(path, 'utf8')).toBe('kept\n')
  })

  test('refuses a file that is not its own when it is opened', async () => {
    let checks = 0
    const opening = openAppendLog(path, {
      ...options,
      assertOwned: async () => {
        if (++checks > 1) throw new Error('taken over')
      }
    })
    await expect(opening).rejects.toThrow('taken over')
  })

  test('refuses to acknowledge lines of a removed file', async () => {
    const log = await openAppendLog(path, options)
    await rm(path)
    await expect(log.append('lost')).rejects.toThrow(`${path} was removed or replaced`)
    await log.close()
  })
})

test('an append log keeps the lines of many concurrent appends, in order', async () => {
  const log = await openAppendLog(path)
  const lines = Array.from({ length: 1_000 }, (_, number) => `line ${number}`)
  await Promise.all(lines.map((line) => log.append(line)))
  await log.close()
  expect(await contents()).toEqual(lines)
})

test('an append log has a line in the file when its append resolves', async () => {
  const log = await openAppendLog(path)
  for (const line of ['one', 'two', 'three']) {
    await log.append(line)
    expect((await contents()).at(-1)).toBe(line)
  }
  await log.append('four', 'five')
  expect(await contents()).toEqual(['one', 'two', 'three', 'four', 'five'])
  await log.close()
})

test('an append log leaves nothing of a probe, and refuses it as it refuses lines', async () => {
  const log = await openAppendLog(path)
  await log.append('one')
  await Promise.all([log.probe(), log.append('two'), log.probe()])
  await log.probe()
  await log.append('three')
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n')
  await rm(path)
  await expect(log.probe()).rejects.toThrow('was removed or replaced')
  await log.close()
})

test('an append log continues an existing file', async () => {
  for (const line of ['one', 'two']) {
    const log = await openAppendLog(path)
    expect(log.tornBytes).toBe(0)
    await log.append(line)
    await log.close()
  }
  expect(await contents()).toEqual(['one', 'two'])
})

test.each([
  ['one\ntwo\nthr', ['one', 'two'], 3],
  ['thr', [], 3],
  [`one\n${'x'.repeat(200_000)}`, ['one'], 200_000],
  [`${'x'.repeat(200_000)}\n${'\0'.repeat(65_536)}`, ['x'.repeat(200_000)], 65_536]
])('an append log truncates an incomplete last line', async (text, lines, tornBytes) => {
  await writeFile(path, text)
  const log = await openAppendLog(path)
  expect(log.tornBytes).toBe(tornBytes)
  await log.append('next')
  await log.close()
  expect(await contents()).toEqual([...lines, 'next'])
})

test('an append log refuses a value with a line feed', async () => {
  const log = await openAppendLog(path)
  await expect(log.append('one\ntwo')).rejects.toThrow('line break')
  await log.close()
  expect(await readFile(path, 'utf8')).toBe('')
})

test('an append log finishes pending appends before it closes', async () => {
  const log = await openAppendLog(path)
  const appending = log.append('one')
  await log.close()
  await appending
  expect(await contents()).toEqual(['one'])
})

test('an append log reads back lines of any length and with any character but the line feed', async () => {
  const lines = ['', '\u2028\r', 'é'.repeat(100_000), '€']
  const log = await openAppendLog(path)
  await log.append(...lines)
  await log.close()
  expect(await contents()).toEqual(lines)
})

async function contents(): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(path)) lines.push(line)
  return lines
}

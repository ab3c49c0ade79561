import { expect, it } from 'vitest'
import { ChangeConnection } from '../../src/delivery/changes/changeConnection.ts'
import type { StoredAuditEntry } from '../../src/storage/resources/history.ts'

/** Opens a connection whose reader accepts this many writes, and then none until it drains. */
function openConnection(accepted: number) {
  const written: string[] = []
  const ends: string[] = []
  let drain = () => {}
  let left = accepted
  const sink = {
    lastEventId: undefined,
    write: (text: string) => {
      written.push(text)
      return --left > 0
    },
    onDrain: (listener: () => void) => {
      drain = listener
    },
    end: () => void ends.push('end'),
    destroy: () => void ends.push('destroy')
  }
  const connection: ChangeConnection = new ChangeConnection(sink, {
    format: async (entries) => entries.map(({ _id }) => `${_id} `),
    maxQueued: 100,
    maxStalledRounds: 2,
    onEnd: (reason) => {
      ends.push(reason)
      connection.close()
    }
  })
  const release = () => {
    left = Number.POSITIVE_INFINITY
    drain()
  }
  return { connection, written, ends, release }
}

function entries(from: number, count: number): StoredAuditEntry[] {
  // The connection reads these members only.
  return Array.from({ length: count }, (_, index) => {
    return { _id: String(from + index), position: from + index } as StoredAuditEntry
  })
}

it('buffers one slice for a slow reader, and sends the rest in order when it has caught up', async () => {
  const { connection, written, release } = openConnection(1)
  connection.start('preamble ', entries(1, 30))
  connection.add(entries(31, 30))
  await new Promise(setImmediate)
  expect(written).toEqual(['preamble '])
  release()
  await expect.poll(() => written.join('').trim().split(' ').length).toBe(61)
  expect(written.join('').trim().split(' ').slice(1).map(Number)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1)
  )
})

it('drops a reader for whom too many entries wait', () => {
  const { connection, ends } = openConnection(1)
  connection.start('preamble ', [])
  connection.add(entries(1, 100))
  expect(ends).toEqual([])
  connection.add(entries(101, 1))
  expect(ends).toEqual(['slow', 'destroy'])
})

it('drops a reader that reads nothing for too long', () => {
  const { connection, ends } = openConnection(1)
  connection.start('preamble ', [])
  for (const _ of [1, 2]) connection.keepAlive()
  expect(ends).toEqual([])
  connection.keepAlive()
  expect(ends).toEqual(['slow', 'destroy'])
})

it('sends an entry once that was added during the replay', async () => {
  const { connection, written } = openConnection(Number.POSITIVE_INFINITY)
  connection.add(entries(2, 2))
  connection.start('', entries(1, 2))
  await expect.poll(() => written.join('')).toBe('1 2 3 ')
})

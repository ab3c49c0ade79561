import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from '../src/insights/results/fairQueue.ts'

/** Jobs that end when a test lets them, and which of them were begun. */
function controlled() {
  const inTurn = createFairQueue()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const gone = new Set<string>()
  return {
    begun,
    gone,
    /** Its name is that of its caller and a number. */
    ask: (name: string): Promise<string> =>
      inTurn({
        caller: name.slice(0, -1),
        isWanted: () => !gone.has(name),
        work: async () => {
          begun.push(name)
          await new Promise<void>((resolve) => ends.set(name, resolve))
          return name
        }
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.()
      await setImmediate()
    }
  }
}

describe('jobs in turn', () => {
  it('are done two at a time, of two callers', async () => {
    const { ask, begun, end } = controlled()
    const all = ['ada1', 'ada2', 'bob1', 'cyd1'].map(ask)
    await setImmediate()
    expect(begun).toEqual(['ada1', 'bob1'])
    await end('bob1')
    expect(begun).toEqual(['ada1', 'bob1', 'cyd1'])
    await end('ada1')
    expect(begun).toEqual(['ada1', 'bob1', 'cyd1', 'ada2'])
    await end('cyd1')
    await end('ada2')
    expect(await Promise.all(all)).toEqual(['ada1', 'ada2', 'bob1', 'cyd1'])
  })

  it('are done by callers in turn, whoever asked more or earlier', async () => {
    const { ask, begun, end } = controlled()
    const all = ['ada1', 'eve1', 'ada2', 'ada3', 'eve2', 'eve3', 'bob1', 'cyd1'].map(ask)
    await setImmediate()
    for (let index = 0; index < all.length; index++) await end(begun[index] ?? '')
    expect(begun).toEqual(['ada1', 'eve1', 'ada2', 'eve2', 'bob1', 'cyd1', 'ada3', 'eve3'])
    await Promise.all(all)
  })

  it('are refused to who has two that wait', () => {
    const { ask } = controlled()
    for (const name of ['ada1', 'ada2', 'ada3']) void ask(name)
    expect(() => ask('ada4')).toThrow('2 metric results that you asked for wait; retry in 10 s')
    expect(() => ask('ada4')).toThrow(expect.objectContaining({ status: 429, headers: { 'retry-after': '10' } }))
    expect(() => ask('bob1')).not.toThrow()
  })

  it('are refused to all while fifty wait', () => {
    const { ask } = controlled()
    for (let index = 0; index < 52; index++) void ask(`caller ${index} asks 1`)
    expect(() => ask('zed1')).toThrow('50 metric results wait; retry in 10 s')
  })

  it('that nobody wants make room, and are not begun', async () => {
    const { ask, begun, gone, end } = controlled()
    void ask('ada1')
    const unwanted = ['ada2', 'ada3'].map(ask)
    gone.add('ada2').add('ada3')
    const last = ask('ada4')
    expect((await Promise.allSettled(unwanted)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await end('ada1')
    await end('ada4')
    expect([begun, await last]).toEqual([['ada1', 'ada4'], 'ada4'])
  })

  it('give their place to the next when they fail', async () => {
    const inTurn = createFairQueue()
    const order: number[] = []
    const job = (number: number) =>
      inTurn({
        caller: `caller ${number}`,
        isWanted: () => true,
        work: async () => {
          order.push(number)
          await setImmediate()
          if (number === 1) throw new Error('no')
          return number
        }
      })
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(job))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')])
    expect(order).toEqual([1, 2, 3, 4, 5])
  })
})

import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from '../../src/lib/limits/fairQueue.ts'

const RESULTS = {
  subject: 'requests for metric results',
  maxRunning: 2,
  maxQueuedPerCaller: 2,
  maxQueued: 50,
  retryAfterMs: 10_000
}

/** Creates a queue with jobs that a test finishes. */
function controlled() {
  const enqueue = createFairQueue(RESULTS)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const gone = new Set<string>()
  return {
    started,
    gone,
    /** A job's name is its caller and a digit. */
    ask: (name: string): Promise<string> =>
      enqueue({
        caller: name.slice(0, -1),
        isWanted: () => !gone.has(name),
        work: async () => {
          started.push(name)
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

describe('the fair queue', () => {
  it('runs two jobs at a time, one for each caller', async () => {
    const { ask, started, end } = controlled()
    const all = ['ada1', 'ada2', 'bob1', 'cyd1'].map(ask)
    await setImmediate()
    expect(started).toEqual(['ada1', 'bob1'])
    await end('bob1')
    expect(started).toEqual(['ada1', 'bob1', 'cyd1'])
    await end('ada1')
    expect(started).toEqual(['ada1', 'bob1', 'cyd1', 'ada2'])
    await end('cyd1')
    await end('ada2')
    expect(await Promise.all(all)).toEqual(['ada1', 'ada2', 'bob1', 'cyd1'])
  })

  it('serves callers in turn, however many jobs each has', async () => {
    const { ask, started, end } = controlled()
    const all = ['ada1', 'eve1', 'ada2', 'ada3', 'eve2', 'eve3', 'bob1', 'cyd1'].map(ask)
    await setImmediate()
    for (let index = 0; index < all.length; index++) await end(started[index] ?? '')
    expect(started).toEqual(['ada1', 'eve1', 'ada2', 'eve2', 'bob1', 'cyd1', 'ada3', 'eve3'])
    await Promise.all(all)
  })

  it('refuses a caller with two queued jobs', () => {
    const { ask } = controlled()
    for (const name of ['ada1', 'ada2', 'ada3']) void ask(name)
    expect(() => ask('ada4')).toThrow('2 of your requests for metric results are queued (limit: 2); retry in 10 s')
    expect(() => ask('ada4')).toThrow(expect.objectContaining({ status: 429, headers: { 'retry-after': '10' } }))
    expect(() => ask('bob1')).not.toThrow()
  })

  it('refuses everyone while fifty jobs are queued', () => {
    const { ask } = controlled()
    for (let index = 0; index < 52; index++) void ask(`caller ${index} asks 1`)
    expect(() => ask('zed1')).toThrow('50 requests for metric results are queued (limit: 50); retry in 10 s')
  })

  it('replaces a job of the caller with the most when it is full', async () => {
    const enqueue = createFairQueue({ ...RESULTS, maxRunning: 1, maxQueuedPerCaller: 4, maxQueued: 4 })
    const never = () => new Promise<string>(() => {})
    const add = (caller: string) => enqueue({ caller, work: never })
    void add('running')
    const [, , , last] = ['eve', 'eve', 'eve', 'eve'].map(add)
    const ada = add('ada')
    await expect(last).rejects.toThrow('4 requests for metric results are queued (limit: 4); retry in 10 s')
    expect(await Promise.race([ada, setImmediate('waits')])).toBe('waits')
  })

  it('drops jobs without a waiting request', async () => {
    const { ask, started, gone, end } = controlled()
    void ask('ada1')
    const unwanted = ['ada2', 'ada3'].map(ask)
    gone.add('ada2').add('ada3')
    const last = ask('ada4')
    expect((await Promise.allSettled(unwanted)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await end('ada1')
    await end('ada4')
    expect([started, await last]).toEqual([['ada1', 'ada4'], 'ada4'])
  })

  it('starts the next job after one that fails', async () => {
    const enqueue = createFairQueue(RESULTS)
    const order: number[] = []
    const job = (number: number) =>
      enqueue({
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

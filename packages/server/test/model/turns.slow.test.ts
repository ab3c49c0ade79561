import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { operations } from '@burgee/contract'
import { createOpenApiDocument } from '@burgee/contract/openapi'
import { makeAudience, makeEnvironments, makeProject } from '@burgee/testing/plan'
import type { Context } from 'koa'
import { describe, expect, it, test, vi } from 'vitest'
import { sendJson } from '../../src/api/http/response/sendJson.ts'
import { compileFeatures } from '../../src/delivery/explanations/compileFeatures.ts'
import { createTimeSlices, takeTurn } from '../../src/lib/time.ts'

it('continues one waiter in each turn of the event loop, in their order', async () => {
  const continued: number[] = []
  const waiters = [1, 2, 3].map((number) => takeTurn().then(() => continued.push(number)))
  const counts: number[] = []
  while (continued.length < waiters.length) {
    await setImmediate()
    counts.push(continued.length)
  }
  expect(continued).toEqual([1, 2, 3])
  const added = counts.map((count, index) => count - (counts[index - 1] ?? 0))
  expect(Math.max(...added)).toBe(1)
})

it('lets those that wait first continue before those that wait again', async () => {
  const continued: string[] = []
  const work = async (name: string) => {
    for (let part = 0; part < 2; part++) {
      await takeTurn()
      continued.push(name)
    }
  }
  await Promise.all([work('one'), work('other')])
  expect(continued).toEqual(['one', 'other', 'one', 'other'])
})

/** Counts the turns of the event loop during work, in which every slice is over when it is checked. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 1000
    return time
  })
  let turns = 0
  let isOver = false
  const finished = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    await setImmediate()
    turns++
  }
  await finished
  vi.restoreAllMocks()
  return turns
}

const large = (_: unknown, index: number) => ({ _id: `${index}`, text: 'x'.repeat(100_000) })

describe('a response', () => {
  const sent = async (value: unknown) => {
    const ctx = { type: '', body: undefined as unknown }
    await sendJson(ctx as unknown as Context, value)
    expect(ctx.type).toBe('json')
    return typeof ctx.body === 'string' ? ctx.body : text(ctx.body as Readable)
  }

  it('waits for a turn between the large items of a list', async () => {
    expect(await countTurns(() => sent(Array.from({ length: 20 }, large)))).toBeGreaterThanOrEqual(19)
  })

  test.each<[string, unknown]>([
    ['a list', [1, undefined, 'two', [null], {}]],
    ['an object with lists', { list: [1, { a: [undefined] }], absent: undefined, 'a "name"': null, date: new Date(0) }],
    ['a text', 'a\u2028b'],
    ['large items', { items: Array.from({ length: 5 }, large), count: 5 }]
  ])('is the JSON of %s', async (_, value) => {
    expect(await sent(value)).toBe(JSON.stringify(value))
  })
})

it('compiles the audiences of a project in one turn each, and once', async () => {
  const audiences = Array.from({ length: 20 }, (_, index) => {
    return makeAudience(`a-${index}`, { operator: 'and', filters: [{ type: 'all' }] })
  })
  const [environment] = makeEnvironments({})
  const input = {
    project: makeProject({}),
    environment: environment!,
    audiences,
    features: [],
    configurations: [],
    variables: []
  }
  expect(await countTurns(() => compileFeatures(input, []))).toBeGreaterThanOrEqual(20)
  expect(await countTurns(() => compileFeatures(input, []))).toBeLessThan(3)
})

it('creates the OpenAPI document in one turn for each operation', async () => {
  const pause = () => createTimeSlices().yieldIfDue()
  const create = () => createOpenApiDocument('1.0.0', 'http://127.0.0.1:8080', pause)
  expect(await countTurns(create)).toBeGreaterThanOrEqual(Object.keys(operations).length)
})

import { setTimeout } from 'node:timers/promises'
import { type ApiResponse, call, send, serve, type TestServer } from '@burgee/testing/harness'
import { runs } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
})

let count = 0

/** Each takes a second of the sandbox. */
const REQUESTS = runs({ quick: 3, full: 20 })

/** Creates a variable of type JSON with this schema. */
function create(schema: unknown, exampleValue: unknown = {}, type = 'JSON'): Promise<ApiResponse> {
  count += 1
  const validationSchema = {
    description: '',
    schemaType: 'jsonSchema',
    jsonSchema: JSON.stringify(schema),
    exampleValue
  }
  const body = { key: `isolated-${count}`, type, validationSchema }
  return call(server, 'createVariable', { params: { project: 'shop' }, body })
}

/** Its check records 2^depth errors before it fails. */
function explosiveSchema(seed: number) {
  const depth = 24
  const $defs = Object.fromEntries(
    Array.from({ length: depth }, (_, index) => {
      const $ref = `#/$defs/${index + 1}`
      return [index, { anyOf: [{ $ref }, { $ref }] }]
    })
  )
  return { $ref: '#/$defs/0', $defs: { ...$defs, [depth]: { required: [`member-${seed}`] } } }
}

/**
 * The median time of a request that is repeated while `work` runs, as a share of the time of the work. One slow moment
 * does not change it, nor does a slow machine.
 */
async function typicalResponse(work: Promise<unknown>, request: () => Promise<void>): Promise<number> {
  let isDone = false
  const times: number[] = []
  const begun = performance.now()
  const end = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const start = performance.now()
    await request()
    times.push(performance.now() - start)
    await setTimeout(20)
  }
  await end
  const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY
  return median / (performance.now() - begun)
}

async function checkHealthAndEvaluate(): Promise<void> {
  const [health, evaluation] = await Promise.all([
    send(server, { path: '/livez' }),
    call(server, 'evaluateVariables', { body: { user_id: 'ada' } })
  ])
  expect([health.status, evaluation.status]).toEqual([200, 200])
}

describe('schemas that take much time or memory', () => {
  it('are rejected, and many of them at once do not delay health checks and evaluations', async () => {
    expect(JSON.stringify(explosiveSchema(1)).length).toBeLessThan(1_600)
    const requests = Promise.all(Array.from({ length: REQUESTS }, (_, index) => create(explosiveSchema(index))))
    expect(await typicalResponse(requests, checkHealthAndEvaluate)).toBeLessThan(1 / (2 * REQUESTS))
    const answers = await requests
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([
        400,
        [expect.stringMatching(/(too long \(limit: \d+ ms|too much memory \(limit: \d+ MiB\))/)]
      ])
    }
    // The next request is not affected by those before it.
    expect((await create({ required: ['x'] }, { x: 1 })).status).toBe(201)
  }, 300_000)

  it('do not delay other writes, which take turns with them', async () => {
    const requests = Promise.all(
      Array.from({ length: runs({ quick: 2, full: 3 }) }, (_, index) => create(explosiveSchema(100 + index)))
    )
    let writes = 0
    const write = async () => {
      writes += 1
      const body = { key: `plain-${writes}`, type: 'String' }
      expect((await call(server, 'createVariable', { params: { project: 'shop' }, body })).status).toBe(201)
    }
    // A write waits for one of them at most, and not for all.
    expect(await typicalResponse(requests, write)).toBeLessThan(0.8)
    expect(writes).toBeGreaterThan(1)
  }, 300_000)
})

describe('the issues of values', () => {
  it('are bounded in length', async () => {
    const { status, body } = await create({ required: ['a'.repeat(20_000)] })
    expect(status).toBe(400)
    expect(body.message[0].length).toBeLessThan(500)
  })

  it('are bounded in number', async () => {
    const variables = Array.from({ length: 60 }, (_, index) => {
      const validationSchema = { description: '', schemaType: 'regex', regexPattern: '^a$', exampleValue: 'b' }
      return { key: `many-${index}`, type: 'String', validationSchema }
    })
    const body = { key: 'many', name: 'Many', variables }
    const answer = await call(server, 'createFeature', { params: { project: 'shop' }, body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toHaveLength(51)
    expect(answer.body.message[50]).toBe('and 10 more issues')
  })
})

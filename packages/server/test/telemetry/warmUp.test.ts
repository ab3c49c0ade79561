import { call, send, serve } from '@burgee/testing/harness'
import { idOf, type Plan } from '@burgee/testing/plan'
import { freePort } from '@burgee/testing/system/freePort'
import { expect, test } from 'vitest'

const inAudience = (key: string) => ({ type: 'audienceMatch', comparator: '=', _audiences: [idOf(key)] }) as const

/** Enough features that the preparation takes several turns of the event loop, and one that fails for every user. */
const plan: Plan = {
  features: [
    ...Array.from({ length: 100 }, (_, index) => ({ key: `feature-${index}` })),
    { key: 'endless', targets: [{ filters: [inAudience('one')] }] }
  ],
  audiences: {
    one: { operator: 'and', filters: [inAudience('other')] },
    other: { operator: 'and', filters: [inAudience('one')] }
  }
}

async function readMetrics(server: { readonly port: number }): Promise<readonly string[]> {
  const { body } = await send(server, { path: '/metrics' })
  return String(body)
    .split('\n')
    .filter((line) => /^burgee_(evaluation|http_request).*(problems_total|evaluations_total|_count)\{/.test(line))
}

test('a server is alive and evaluates while it prepares its first evaluations, but is not ready', async () => {
  const port = await freePort()
  const starting = serve(plan, { port }, undefined, { warmUpMs: 60_000 })
  const ask = (path: string) => send({ port }, { path }).catch(() => undefined)
  let first = await ask('/readyz')
  while (!first) first = await ask('/readyz')
  expect(first).toMatchObject({
    status: 503,
    body: { status: 'unavailable', message: 'the server is preparing its first evaluations' }
  })
  expect(await ask('/readyz?exclude=writes')).toMatchObject({ status: 503 })
  expect(await ask('/livez')).toMatchObject({ status: 200 })
  const server = await starting
  expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  await server.close()
})

test('the preparation counts, logs and samples nothing', async () => {
  const server = await serve(plan, {}, undefined, { warmUpMs: 60_000 })
  const isUsed = (line: string) => !line.endsWith(' 0')
  expect((await readMetrics(server)).filter(isUsed)).toEqual([])
  const levels = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  expect(levels).toEqual([])
  const { status } = await call(server, 'evaluateVariable', { params: { key: 'endless' }, body: { user_id: 'ada' } })
  expect(status).toBe(404)
  const problems = (await readMetrics(server)).filter((line) => line.includes('problems_total') && isUsed(line))
  expect(problems).toEqual(['burgee_evaluation_problems_total{code="ENDLESS_FILTERS"} 1'])
})

test('a server without features is ready at once', async () => {
  const server = await serve({}, {}, undefined, { warmUpMs: 60_000 })
  expect(await send(server, { path: '/readyz' })).toMatchObject({ status: 200 })
})

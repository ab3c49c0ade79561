import { serveLimited } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW, type Plan } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'new-checkout' }, { key: 'search' }]
}

const ofProject = ['getProjectEvaluations', 'getProjectTotalEvaluations'] as const
const everyOperation = ['getFeatureTotalEvaluations', ...ofProject] as const

type Query = Readonly<Record<string, string | number>>

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

function ask(id: (typeof everyOperation)[number], query: Query = {}): Promise<ApiResponse> {
  return call(server, id, { params: { project: 'shop', feature: 'new-checkout' }, query })
}

async function dates(id: (typeof everyOperation)[number], query: Query = {}): Promise<string[]> {
  const { status, body } = await ask(id, query)
  expect(status).toBe(200)
  return body.result.evaluations.map(({ date }: { date: string }) => date)
}

describe('evaluations of a feature', () => {
  it('are 0 for each variation and for the default', async () => {
    const query = { startDate: NOW - 2 * HOUR, endDate: NOW }
    const values = { 'variation-on': 0, 'variation-off': 0, default: 0 }
    expect((await ask('getFeatureTotalEvaluations', query)).body).toEqual({
      result: {
        evaluations: [
          { date: '2026-03-01T10:00:00.000Z', values },
          { date: '2026-03-01T11:00:00.000Z', values }
        ]
      },
      cached: false,
      isPooled: true,
      updatedAt: new Date(NOW).toISOString()
    })
  })

  it('can be limited to one variable, by key or id', async () => {
    for (const variable of ['new-checkout', idOf('variable new-checkout')]) {
      expect((await ask('getFeatureTotalEvaluations', { variable, platform: 'web' })).status).toBe(200)
    }
  })

  it('require a variable of the feature', async () => {
    const stranger = await ask('getFeatureTotalEvaluations', { variable: 'search' })
    expect([stranger.status, stranger.body.message]).toEqual([
      404,
      `Item with key 'search' not found: there is no variable "search" in feature "new-checkout"`
    ])
    expect((await ask('getFeatureTotalEvaluations', { variable: 'nothing' })).status).toBe(404)
  })

  it('require an existing feature', async () => {
    const params = { project: 'shop', feature: 'nothing' }
    expect((await call(server, 'getFeatureTotalEvaluations', { params })).status).toBe(404)
  })
})

describe.each(ofProject)('%s', (id) => {
  it('is 0 without evaluations', async () => {
    expect((await ask(id, { startDate: NOW - HOUR, endDate: NOW })).body).toEqual({
      result: { evaluations: [{ date: '2026-03-01T11:00:00.000Z', value: 0 }] },
      cached: false,
      isPooled: true,
      updatedAt: new Date(NOW).toISOString()
    })
  })
})

describe.each(everyOperation)('%s', (id) => {
  it('counts the last 24 hours by hour by default', async () => {
    const found = await dates(id)
    expect([found.length, found[0], found.at(-1)]).toEqual([24, '2026-02-28T12:00:00.000Z', '2026-03-01T11:00:00.000Z'])
    expect(await dates(id, { period: 'hour' })).toEqual(found)
  })

  it('counts the last 30 days by day, from midnight in UTC', async () => {
    const found = await dates(id, { period: 'day', endDate: Date.parse('2026-03-01T00:00:00.000Z') })
    expect([found.length, found[0], found.at(-1)]).toEqual([30, '2026-01-30T00:00:00.000Z', '2026-02-28T00:00:00.000Z'])
  })

  it('counts the last 12 months by month, regardless of their lengths', async () => {
    const found = await dates(id, { period: 'month', endDate: Date.parse('2026-03-01T00:00:00.000Z') })
    expect([found.length, found[0], found[1], found.at(-1)]).toEqual([
      12,
      '2025-03-01T00:00:00.000Z',
      '2025-04-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z'
    ])
  })

  it('has every period that overlaps the range, from its start', async () => {
    const startDate = Date.parse('2026-01-31T23:59:59.999Z')
    expect(await dates(id, { startDate, endDate: startDate + 2 })).toEqual([
      '2026-01-31T23:00:00.000Z',
      '2026-02-01T00:00:00.000Z'
    ])
    expect(await dates(id, { startDate, endDate: startDate + 2, period: 'month' })).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z'
    ])
    expect(await dates(id, { startDate, endDate: startDate + 1, period: 'day' })).toEqual(['2026-01-31T00:00:00.000Z'])
  })

  it('ends now when only the start is given', async () => {
    expect(await dates(id, { startDate: NOW - HOUR })).toEqual(['2026-03-01T11:00:00.000Z'])
  })

  it('accepts an environment by key or id, and a type of SDK', async () => {
    for (const environment of ['staging', idOf('staging')]) {
      expect((await ask(id, { environment, sdkType: 'server' })).status).toBe(200)
    }
    expect((await ask(id, { environment: 'nothing' })).body.message).toContain("Item with key 'nothing' not found")
  })

  it.each([
    ['an end before the start', { startDate: NOW, endDate: NOW - 1 }, /^endDate should be after startDate, got 2026/],
    ['an end at the start', { startDate: NOW, endDate: NOW }, /^endDate should be after startDate/],
    ['a start that is yet to come', { startDate: NOW + DAY }, /^endDate should be after startDate/],
    ['a date beyond all calendars', { endDate: 1e300 }, /^endDate should be in the years 1000 to 9999/],
    ['a date before all calendars', { startDate: -1e15 }, /^startDate should be in the years 1000 to 9999/],
    ['a date that is not a number', { startDate: '2026-03-01' }, /^startDate should be a number/],
    ['a date that is empty', { startDate: '' }, /^startDate should be a number/],
    ['a period that there is not', { period: 'week' }, /^period should be one of/],
    ['a type of SDK that there is not', { sdkType: 'desktop' }, /^sdkType should be one of/],
    [
      'more hours than an answer has',
      { startDate: NOW - 1000 * HOUR - 1, endDate: NOW },
      /^startDate and endDate should span at most 1000 periods of one hour, or period should be longer than hour, got \S+ to \S+$/
    ],
    [
      'more months than an answer has',
      { startDate: Date.parse('1800-01-01T00:00:00Z'), endDate: NOW, period: 'month' },
      /^startDate and endDate should span at most 1000 periods of one month, got \S+ to \S+$/
    ]
  ])('is refused with %s', async (_, query, message) => {
    const { status, body } = await ask(id, query)
    expect([status, body.message]).toEqual([400, [expect.stringMatching(message)]])
  })

  it('can span a thousand hours', async () => {
    expect(await dates(id, { startDate: NOW - 1000 * HOUR, endDate: NOW })).toHaveLength(1000)
  })

  it('requires an existing project', async () => {
    const params = { project: 'nothing', feature: 'new-checkout' }
    expect((await call(server, id, { params })).status).toBe(404)
  })

  it('is refused without the permission to read', async () => {
    const { server: limited, key } = await serveLimited(plan, ['audience:read'])
    const params = { project: 'shop', feature: 'new-checkout' }
    expect((await call(limited, id, { params, key })).status).toBe(403)
  })
})

it('the counts of a feature are refused with an empty platform', async () => {
  const { status, body } = await ask('getFeatureTotalEvaluations', { platform: '' })
  expect([status, body.message]).toEqual([400, ['platform should not be empty, got ""']])
})

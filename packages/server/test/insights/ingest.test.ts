import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseRequestPart } from '../../src/api/http/request/parseRequestPart.ts'
import { type IngestContext, ingest } from '../../src/insights/ingestion/ingest.ts'

const context: IngestContext = {
  payloadId: undefined,
  sdkKey: 'dvc_client_key',
  isSdkKey: () => false,
  maxEvaluations: 1000,
  audiencesOf: () => [],
  deobfuscateTarget: (target: string) => target,
  validate: (schema, value) => parseRequestPart(schema, value, 'body')
}

/** Counts the turns of the event loop while events are ingested, and measures the milliseconds that it takes. */
async function ingestWithOthers(events: readonly object[]): Promise<{ turns: number; milliseconds: number }> {
  let isDone = false
  let turns = 0
  const others = (async () => {
    while (!isDone) {
      await setImmediate()
      turns++
    }
  })()
  const startedAt = performance.now()
  const { accepted } = await ingest([{ path: [], value: { user: { user_id: 'ada' }, events } }], context)
  const milliseconds = performance.now() - startedAt
  isDone = true
  await others
  expect(accepted).toBe(events.length)
  return { turns, milliseconds }
}

const featureVars = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`f${index}`, 'x']))

test.each<[string, number, object, number]>([
  ['small', 10_000, { type: 'view' }, 10],
  ['of many features', 26, { type: 'view', featureVars }, 10],
  ['of much metadata', 300, { type: 'view', metaData: { list: Array(1000).fill(1) } }, 10]
])(
  'the server yields to the event loop while it validates many events that are %s, at most once a millisecond',
  async (_name, count, event, least) => {
    const { turns, milliseconds } = await ingestWithOthers(Array(count).fill(event))
    expect(turns).toBeGreaterThanOrEqual(least)
    // One turn can begin before the first slice, and one after the last.
    expect(turns).toBeLessThanOrEqual(milliseconds + 2)
  }
)

test('a report has the JSON text of its user and events with masked keys, so that payload digests stay the same', async () => {
  const events = [
    { type: 'view', date: '2026-03-01T12:00:00Z', extra: 1 },
    { type: 'customEvent', customType: 'load', target: `https://cdn.example/${context.sdkKey}.json`, value: null }
  ]
  const user = { user_id: 'ada', platform: context.sdkKey, customData: { plan: 'pro' } }
  const { reports } = await ingest([{ path: [], value: { user, events } }], context)
  const [report] = reports
  expect(report?.json).toBe(JSON.stringify({ user: report?.user, events: report?.events }))
  expect(report?.events.map(({ type }) => type)).toEqual(['view', 'customEvent'])
  expect(report?.json).not.toContain(context.sdkKey)
})

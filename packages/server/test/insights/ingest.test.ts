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

/** Counts the turns of the event loop while events are ingested. */
async function turnsDuring(events: readonly object[], user: object = { user_id: 'ada' }): Promise<number> {
  let isDone = false
  let turns = 0
  const others = (async () => {
    while (!isDone) {
      await setImmediate()
      turns++
    }
  })()
  const raw = [{ path: [], value: { user, events } }]
  const { accepted } = await ingest(raw, context)
  isDone = true
  await others
  expect(accepted).toBe(events.length)
  return turns
}

const featureVars = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`f${index}`, 'x']))

test.each<[string, number, object, number, number]>([
  ['small', 100, { type: 'view' }, 8, 40],
  ['of many features', 26, { type: 'view', featureVars }, 26, 60],
  ['of much metadata', 30, { type: 'view', metaData: { list: Array(1000).fill(1) } }, 30, 70]
])(
  'the server yields to the event loop while it validates events that are %s',
  async (_name, count, event, least, most) => {
    const turns = await turnsDuring(Array(count).fill(event))
    expect(turns).toBeGreaterThanOrEqual(least)
    expect(turns).toBeLessThanOrEqual(most)
  }
)

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRequestPart } from '../../src/api/http/request/parseRequestPart.ts'
import type { KeyConfig } from '../../src/delivery/configs/keyConfig.ts'
import { toEventEntry } from '../../src/insights/ingestion/aggregateEvents.ts'
import { type IngestContext, ingest } from '../../src/insights/ingestion/ingest.ts'
import { scanText } from '../../src/insights/ingestion/textScan.ts'

const context: IngestContext = {
  payloadId: undefined,
  sdkKey: 'dvc_client_key',
  isSdkKey: () => false,
  maxEvaluations: 1000,
  audiencesOf: () => [],
  deobfuscateTarget: (target: string) => target,
  mayContainKeys: true,
  isStorable: false,
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

test('the digest of a payload is of its users and events as they are stored, with masked keys', async () => {
  const many = Array.from({ length: 100 }, (_, value) => ({ type: 'view', value }))
  const events = [
    { type: 'view', date: '2026-03-01T12:00:00Z', extra: 1 },
    { type: 'customEvent', customType: 'load', target: `https://cdn.example/${context.sdkKey}.json`, value: null },
    ...many
  ]
  const user = { user_id: 'ada', platform: context.sdkKey, customData: { plan: 'pro' } }
  const batch = [
    { user, events },
    { user: { user_id: 'bob' }, events: many }
  ]
  const { reports } = await ingest(
    batch.map((value, index) => ({ path: [index], value })),
    context
  )
  const stored = reports.map((report) => JSON.stringify({ user: report.user, events: report.events }))
  expect(stored.join('')).not.toContain(context.sdkKey)
  const caller = { environment: { _id: 'e' }, keyType: 'client', features: [], variables: [] } as unknown as KeyConfig
  const source = { operation: 'sendEventBatches', sdkType: 'client', now: () => 0 } as const
  const { payloadDigest } = await toEventEntry({ payloadId: 'one', reports }, caller, source)
  const digest = createHash('sha256')
    .update(`sendEventBatches [${stored.join(',')}]`)
    .digest('base64url')
  expect(payloadDigest).toBe(digest.slice(0, 22))
})

const leaked = `server-burgee_${'a'.repeat(38)}`
const text = fc.oneof(
  fc.constantFrom(
    'ada',
    '',
    ' ',
    'é',
    '\u{1f600}',
    '\ud800',
    'a\0',
    '"\\/\n',
    'x'.repeat(1001),
    '__proto__',
    '\\u0000'
  ),
  fc.constantFrom(context.sdkKey, `https://a.example/${leaked}/`, 'server-side', '2026-03-01T12:00:00Z', 'web', 'api'),
  fc.constantFrom('variableEvaluated', 'aggVariableEvaluated', 'customEvent', '{"plan":"pro"}', '{"a":"\\u0000"}')
)
const scalar = fc.oneof(text, fc.constantFrom<unknown>(0, 1, -1.5, 1e12, true, null, [], {}))
const name = fc.oneof(text, fc.constantFrom('constructor', 'prototype', 'a', 'eval'))
const nested = fc.oneof(scalar, fc.dictionary(name, fc.oneof(scalar, fc.dictionary(name, scalar)), { maxKeys: 3 }))
const member = fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: nested })
const members = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), member, { maxKeys: 4 })
const eventMembers = members('type', 'customType', 'target', 'date', 'clientDate', 'value', 'metaData', 'other')
const event = fc.tuple(eventMembers, fc.option(nested)).map(([some, featureVars]) => ({
  type: 'view',
  ...(featureVars === null ? {} : { featureVars }),
  ...some
}))
const report = fc.record({
  user: members('user_id', 'platform', 'sdkType', 'sdkVersion', 'customData', 'email').map((some) => ({
    user_id: 'ada',
    ...some
  })),
  events: fc.array(fc.oneof({ weight: 9, arbitrary: event }, { weight: 1, arbitrary: nested }), { maxLength: 3 })
})

test('the scan of a body does not affect what is accepted, masked and reported', async () => {
  let scanned = 0
  const compare = async (batch: readonly unknown[], json: string) => {
    // As it arrives: numbers without bounds cannot be generated otherwise.
    const body = JSON.parse(json)
    const scan = scanText(Buffer.from(json).toString(), context.sdkKey)
    if (scan.isStorable) scanned++
    const raw = batch.map((_, index) => ({ path: ['batch', index], value: body[index] }))
    const keys = { ...context, isSdkKey: (key: string) => key === leaked }
    const [fast, thorough] = [await ingest(raw, { ...keys, ...scan }), await ingest(raw, keys)]
    const withoutAudiences = ({ reports, ...result }: typeof fast) => ({
      ...result,
      reports: reports.map(({ user, events }) => ({ user, events }))
    })
    expect(withoutAudiences(fast)).toEqual(withoutAudiences(thorough))
  }
  const batches = fc.array(report, { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(batches, fc.boolean(), async (batch, isEscaped) => {
      const json = JSON.stringify(batch).replaceAll('1000000000000', '1e999')
      await compare(batch, isEscaped ? json.replaceAll('server', '\\u0073erver') : json)
    }),
    { numRuns: 2_000 }
  )
  expect(scanned).toBeGreaterThan(200)
})

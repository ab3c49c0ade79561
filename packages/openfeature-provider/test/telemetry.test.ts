import { AsyncLocalStorage } from 'node:async_hooks'
import { EventHook, SpanEventHook } from '@openfeature/open-telemetry-hooks'
import { OpenFeature } from '@openfeature/server-sdk'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { logs } from '@opentelemetry/api-logs'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BurgeeProvider, type ProviderOptions, type Source, staticSource } from '../src/index.ts'
import { config } from './gherkin/flags.ts'

const written = new InMemoryLogRecordExporter()
const spans = new InMemorySpanExporter()
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })

/** A minimal context manager, like that of the packages for Node.js. */
const storage = new AsyncLocalStorage<ReturnType<typeof context.active>>()
const manager: Parameters<typeof context.setGlobalContextManager>[0] = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, run, that, ...given) => storage.run(active, () => run.apply(that as never, given)),
  bind: (_, target) => target,
  enable: () => manager,
  disable: () => manager
}

beforeAll(() => {
  logs.setGlobalLoggerProvider(new LoggerProvider({ processors: [new SimpleLogRecordProcessor(written)] }))
  context.setGlobalContextManager(manager)
})

afterEach(async () => {
  written.reset()
  spans.reset()
  await OpenFeature.clearProviders()
})

afterAll(() => {
  logs.disable()
  context.disable()
})

const delivered: Source = {
  name: 'the source of the tests',
  start: ({ onConfig }) => void onConfig({ config, etag: '"v7"' }),
  close: () => {}
}

async function clientWith(options: Partial<ProviderOptions> = {}) {
  await OpenFeature.setProviderAndWait(
    'telemetry',
    new BurgeeProvider({ source: delivered, ...options } as ProviderOptions)
  )
  const client = OpenFeature.getClient('telemetry')
  return client.clearHooks().addHooks(new EventHook())
}

function attributes(): unknown {
  const [record] = written.getFinishedLogRecords()
  expect(record?.eventName).toBe('feature_flag.evaluation')
  return record?.attributes
}

describe("OpenTelemetry's hooks of OpenFeature", () => {
  it('report the result, the flag set, its version and the user', async () => {
    const client = await clientWith()
    await client.getStringValue('complex-targeted', '', {
      targetingKey: 'ada',
      email: 'ballmer@macrosoft.com',
      age: 65
    })
    expect(attributes()).toEqual({
      'feature_flag.key': 'complex-targeted',
      'feature_flag.provider.name': 'burgee',
      'feature_flag.result.variant': 'internal',
      'feature_flag.result.value': 'INTERNAL',
      'feature_flag.result.reason': 'targeting_match',
      'feature_flag.context.id': 'ada',
      'feature_flag.set.id': 'conformance/production',
      'feature_flag.version': 'v7'
    })
  })

  it('report the user from any member that identifies them', async () => {
    const client = await clientWith()
    await client.getBooleanValue('boolean-flag', false, { user_id: 'bob' })
    expect(attributes()).toMatchObject({ 'feature_flag.context.id': 'bob', 'feature_flag.result.reason': 'static' })
  })

  it('report the default and the error', async () => {
    const client = await clientWith()
    await client.getBooleanValue('boolean-disabled-flag', false)
    expect(attributes()).toMatchObject({ 'feature_flag.result.reason': 'disabled', 'feature_flag.result.value': false })
    written.reset()
    await client.getBooleanValue('nowhere', false)
    expect(written.getFinishedLogRecords().at(-1)?.attributes).toMatchObject({
      'feature_flag.result.reason': 'error',
      'error.type': 'flag_not_found',
      'feature_flag.set.id': 'conformance/production',
      'feature_flag.version': 'v7'
    })
  })

  it('leave out an unknown version, and all metadata if they are turned off', async () => {
    const literally = await clientWith({ source: staticSource(config) })
    await literally.getBooleanValue('boolean-flag', false)
    expect(attributes()).toMatchObject({ 'feature_flag.set.id': 'conformance/production' })
    expect(attributes()).not.toHaveProperty('feature_flag.version')
    written.reset()
    const silent = await clientWith({ flagMetadata: false })
    await silent.getBooleanValue('boolean-flag', false)
    expect(attributes()).not.toHaveProperty('feature_flag.set.id')
    expect(attributes()).not.toHaveProperty('feature_flag.version')
  })

  it('leave out values if configured', async () => {
    const client = (await clientWith()).clearHooks()
    client.addHooks(new EventHook({ excludeAttributes: ['feature_flag.result.value'] }))
    await client.getStringValue('string-flag', '')
    expect(attributes()).toMatchObject({ 'feature_flag.result.variant': 'greeting' })
    expect(attributes()).not.toHaveProperty('feature_flag.result.value')
  })

  it('add an event to the active span', async () => {
    const client = (await clientWith()).addHooks(new SpanEventHook())
    const span = tracers.getTracer('tests').startSpan('a request')
    await context.with(trace.setSpan(context.active(), span), () => client.getStringValue('string-flag', ''))
    span.end()
    expect(spans.getFinishedSpans()[0]?.events).toMatchObject([
      {
        name: 'feature_flag.evaluation',
        attributes: { 'feature_flag.result.variant': 'greeting', 'feature_flag.version': 'v7' }
      }
    ])
  })
})

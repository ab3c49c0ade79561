import { createClient } from '@burgee/contract/client'
import { parseOptions, type RunningServer, startServer } from '@burgee/server'
import { NOW } from '@burgee/testing/plan'
import { buildProject, type CallSuccessfully } from '@burgee/testing/richProject'
import { type EvaluationContext, ProviderStatus } from '@openfeature/server-sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bound, bind, quick, until } from './support/harness.ts'

let server: RunningServer
let manage: ReturnType<typeof createClient>
let sdkKey: string
let bound: Bound

const project = 'rich'
const environment = { project, key: 'production' }

beforeAll(async () => {
  const options = parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error'], {})
  server = await startServer(options, { now: () => NOW })
  manage = createClient({ baseUrl: server.url, credentials: server.administrator! })
  await manage.createProject({ body: { key: project, name: 'Rich', settings: { optIn: { enabled: true } } } })
  const succeed: CallSuccessfully = async (operation, given = {}) => {
    // Every method of the client has the types of its operation.
    const operations = manage as unknown as Record<string, (request: object) => Promise<unknown>>
    return operations[operation]!({ ...given, params: { project, ...given.params } })
  }
  await buildProject(succeed)
  sdkKey = (await manage.getEnvironment({ params: environment })).sdkKeys!.server[0]!.key
})

afterAll(async () => {
  await server.close()
})

const text = (name: string) => bound.client.getStringDetails(name, 'default', { targetingKey: 'ada' })

async function bindHere(): Promise<void> {
  bound = await bind({
    url: server.url,
    sdkKey,
    events: false,
    now: () => NOW,
    retry: quick.retry,
    pollIntervalMs: 100
  })
  expect(bound.error).toBeUndefined()
}

test('a change in the management API is announced with the changed flag', async () => {
  await bindHere()
  const keys = ['greeting', 'parting']
  for (const key of keys) {
    await manage.createFeature({
      params: { project },
      body: {
        key,
        name: key,
        variables: [{ key, type: 'String' }],
        variations: [{ key: 'on', name: 'On', variables: { [key]: 'hello' } }],
        configurations: {
          production: {
            status: 'active',
            targets: [
              {
                audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
                distribution: [{ _variation: 'on', percentage: 1 }]
              }
            ]
          }
        }
      }
    })
  }
  await until(async () => (await text('parting')).value === 'hello')
  expect(bound.events.join()).toContain('CONFIGURATION_CHANGED greeting')
  bound.events.length = 0
  const path = { project, feature: 'greeting', key: 'on' }
  await manage.updateVariation({ params: path, body: { variables: { greeting: 'good evening' } } })
  await until(async () => (await text('greeting')).value === 'good evening')
  expect(bound.events).toEqual(['CONFIGURATION_CHANGED greeting'])
  expect(await text('greeting')).toMatchObject({ reason: 'STATIC', variant: 'on' })
  // Evaluation does not read names.
  await manage.updateFeature({ params: { project, feature: 'greeting' }, body: { name: 'Salutation' } })
  await manage.updateVariation({ params: { ...path, feature: 'parting' }, body: { variables: { parting: 'bye' } } })
  await until(async () => (await text('parting')).value === 'bye')
  expect(bound.events).toEqual(['CONFIGURATION_CHANGED greeting', 'CONFIGURATION_CHANGED parting'])
})

test('an evaluation in process has the result of the server for any user', async () => {
  await bindHere()
  const { provider } = bound
  const words = fc.constantFrom(
    'CA',
    'US',
    'NZ',
    'DE',
    '',
    'web',
    'iOS',
    '2.1.0',
    'v3',
    'pro',
    'company-7',
    'a@example.com'
  )
  const scalar = fc.oneof(
    words,
    fc.integer({ min: 0, max: 50 }),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true })
  )
  const member = fc.constantFrom(
    'email',
    'country',
    'name',
    'language',
    'appVersion',
    'appBuild',
    'platform',
    'plan',
    'seats',
    'isTrial',
    'company'
  )
  const context = fc
    .record({
      id: fc.option(
        fc.oneof(
          fc.string({ maxLength: 205 }),
          fc.integer({ max: 5000, min: 0 }).map((index) => `user-${index}`)
        ),
        { nil: undefined }
      ),
      members: fc.dictionary(member, scalar, { noNullPrototype: true }),
      customData: fc.option(fc.dictionary(member, scalar, { noNullPrototype: true }), { nil: undefined })
    })
    .map(({ id, members, customData }) => {
      return { ...members, ...(customData ? { customData } : {}), ...(id === undefined ? {} : { targetingKey: id }) }
    })
  const send = (path: string, body: object) => {
    const headers = { authorization: sdkKey, 'content-type': 'application/json' }
    return fetch(`${server.url}/ofrep/v1/evaluate/flags${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body)
    })
  }
  await fc.assert(
    fc.asyncProperty(context, async (given) => {
      const answer = await send('', { context: given })
      // biome-ignore lint/suspicious/noExplicitAny: the server's answers are checked elsewhere.
      const body: any = await answer.json()
      if (answer.status === 400) {
        const details = await provider.resolveStringEvaluation('plain', 'default', given as EvaluationContext)
        expect(details.errorCode).toBe(body.errorCode)
        return
      }
      expect(answer.status).toBe(200)
      expect(body.flags.length).toBeGreaterThan(10)
      for (const { key, value, variant, reason, metadata, errorCode, errorDetails } of body.flags) {
        const { flagMetadata: ours = {}, ...details } = await resolve(key, value, given as EvaluationContext)
        // Only the provider adds the flag set, its version and the context id.
        const { flagSetId: _, version: __, contextId: ___, ...flagMetadata } = ours
        expect({ ...details, flagMetadata }).toEqual({
          value: value ?? 'the default',
          ...(errorCode ? { reason: 'ERROR', errorCode, errorMessage: errorDetails } : { reason }),
          ...(variant === undefined ? {} : { variant }),
          flagMetadata: metadata ?? {}
        })
      }
    }),
    { numRuns: 60 }
  )

  function resolve(key: string, value: unknown, given: EvaluationContext) {
    switch (typeof value) {
      case 'boolean':
        return provider.resolveBooleanEvaluation(key, !value, given)
      case 'number':
        return provider.resolveNumberEvaluation(key, value + 1, given)
      case 'object':
        return provider.resolveObjectEvaluation(key, {}, given)
      default:
        return provider.resolveStringEvaluation(key, 'the default', given)
    }
  }
})

test('a provider without a config evaluates on the server with the same results', async () => {
  await bindHere()
  const blocked: typeof fetch = (input, init) => {
    return String(input).includes('/config/') ? Promise.reject(new Error('blocked')) : fetch(input, init)
  }
  const without = await bind({ ...quick, url: server.url, sdkKey, initTimeoutMs: 100, fetch: blocked })
  expect(without.error?.message).toContain('there is no config')
  const { flagMetadata: _, ...ours } = await text('greeting')
  const context = { targetingKey: 'ada' }
  expect(await without.client.getStringDetails('greeting', 'default', context)).toMatchObject(ours)
  expect(await without.client.getStringDetails('absent', 'default', context)).toMatchObject({
    value: 'default',
    errorCode: 'FLAG_NOT_FOUND'
  })
})

test('a provider with an invalidated key keeps the last config and fails at the next start', async () => {
  await bindHere()
  const place = { project, environment: 'production' }
  await manage.generateSdkKeys({ params: place, body: { server: true } })
  await manage.invalidateSdkKey({ params: { ...place, key: sdkKey } })
  await until(() => bound.logs.some((line) => line.includes('the SDK key is refused (status 403)')))
  expect(await text('greeting')).toMatchObject({ value: 'good evening', reason: 'STATIC' })
  const again = await bind({ url: server.url, sdkKey, events: false })
  expect(again.error?.message).toContain('the SDK key is refused (status 403)')
  expect(again.client.providerStatus).toBe(ProviderStatus.ERROR)
  expect([...bound.logs, ...again.logs, again.error?.message].join('\n')).not.toContain(sdkKey)
})

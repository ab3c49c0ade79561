import { serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, DAY, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type Client, type JsonValue, OpenFeature } from '@openfeature/server-sdk'
import {
  ClientProviderEvents,
  type EvaluationContext,
  type Provider,
  OpenFeature as WebOpenFeature
} from '@openfeature/web-sdk'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

const plan: Plan = {
  environments: { production: {}, 'for-old-clients': { ofrepOffValues: true } },
  features: [
    {
      key: 'values',
      variables: { shown: 'Boolean', label: 'String', percent: 'Number', layout: 'JSON' },
      variations: {
        canada: { shown: true, label: 'Bonjour', percent: 12.5, layout: { columns: 3, sections: ['a', { b: null }] } },
        other: { shown: false, label: 'Hello', percent: 0, layout: {} }
      },
      targets: [{ filters: [attributeFilter('country', 'CA')] }, { serves: { other: 1 } }]
    },
    { key: 'unserved', targets: [{ filters: [attributeFilter('country', 'XX')] }] },
    { key: 'disabled', offIn: ['production', 'for-old-clients'] },
    { key: 'undecidable', targets: [{ serves: { 'variation-on': 0 } }] },
    { key: 'tomorrow', targets: [{ rollout: { type: 'schedule', startDate: new Date(NOW + DAY).toISOString() } }] }
  ]
}

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

const ada = { targetingKey: 'ada', country: 'CA' }
const layout: JsonValue = { columns: 3, sections: ['a', { b: null }] }

describe('the server client', () => {
  let domains = 0

  afterAll(() => OpenFeature.close())

  async function clientWith(headers: Record<string, string>): Promise<Client> {
    const domain = `server ${domains++}`
    // This version reads an object, although its type declares pairs.
    const options = { baseUrl: server.url, headers } as unknown as ConstructorParameters<typeof OFREPProvider>[0]
    await OpenFeature.setProviderAndWait(domain, new OFREPProvider(options))
    return OpenFeature.getClient(domain)
  }

  it('resolves values of every type', async () => {
    const client = await clientWith({ authorization: `Bearer ${keyOf('server')}` })
    expect(await client.getBooleanValue('shown', false, ada)).toBe(true)
    expect(await client.getStringValue('label', '', ada)).toBe('Bonjour')
    expect(await client.getNumberValue('percent', 1, ada)).toBe(12.5)
    expect(await client.getObjectValue('layout', {}, ada)).toEqual(layout)
    expect(await client.getBooleanValue('shown', true, { targetingKey: 'ada', country: 'DE' })).toBe(false)
  })

  it('gets the variant, the reason and metadata', async () => {
    const client = await clientWith({ 'x-api-key': keyOf('server') })
    const { variant, reason, flagMetadata, errorCode } = await client.getStringDetails('label', '', ada)
    expect({ variant, reason, errorCode }).toEqual({
      variant: 'canada',
      reason: 'TARGETING_MATCH',
      errorCode: undefined
    })
    expect(flagMetadata).toMatchObject({ evalReasonDetails: 'Country' })
  })

  test.each([
    ['unknown', 'FLAG_NOT_FOUND'],
    ['label', 'TYPE_MISMATCH'],
    // This version fails on a response without a value; later ones return the default without an error.
    ['disabled', 'GENERAL']
  ])('falls back to the default for %s with %s', async (key, code) => {
    const client = await clientWith({ authorization: keyOf('server') })
    const { value, reason, errorCode } = await client.getBooleanDetails(key, true, ada)
    expect({ value, reason, errorCode }).toEqual({ value: true, reason: 'ERROR', errorCode: code })
  })

  test.each([
    ['disabled', 'DISABLED'],
    ['unserved', 'DEFAULT']
  ])('gets the off value of %s, without an error, where the environment serves it', async (key, reason) => {
    const client = await clientWith({ authorization: keyOf('server', 'for-old-clients') })
    const details = await client.getBooleanDetails(key, true, ada)
    expect(details).toMatchObject({ value: false, reason, variant: 'variation-off' })
    expect(details.errorCode).toBeUndefined()
  })

  it('gets an error for a flag that cannot be evaluated', async () => {
    const client = await clientWith({ authorization: keyOf('server') })
    const { errorCode } = await client.getBooleanDetails('undecidable', true, ada)
    expect(errorCode).toBe('PARSE_ERROR')
  })

  it('gets an error for a missing targeting key', async () => {
    const client = await clientWith({ authorization: keyOf('server') })
    expect((await client.getBooleanDetails('undecidable', true)).errorCode).toBe('TARGETING_KEY_MISSING')
  })

  it('falls back to the default when its key is refused', async () => {
    const client = await clientWith({ authorization: 'Bearer server-unknown' })
    const { value, errorCode } = await client.getBooleanDetails('shown', false, ada)
    expect({ value, errorCode }).toEqual({ value: false, errorCode: 'GENERAL' })
  })

  it('pauses for the Retry-After of a 429', async () => {
    const limited = await serve(plan, { ofrepRateLimit: 1 })
    const options = { baseUrl: limited.url, headers: { authorization: keyOf('server') } }
    await OpenFeature.setProviderAndWait('limited', new OFREPProvider(options as never))
    const client = OpenFeature.getClient('limited')
    expect(await client.getBooleanValue('shown', false, ada)).toBe(true)
    for (let index = 0; index < 3; index++) {
      expect((await client.getBooleanDetails('shown', false, ada)).errorCode).toBe('GENERAL')
    }
    const refused = limited.logs.filter((line) => line.includes('"status":429'))
    expect(refused).toHaveLength(1)
  })
})

describe('the web client', () => {
  let domains = 0

  afterAll(() => WebOpenFeature.close())

  /** Every request of a client with the status of its response. */
  type Traffic = { readonly ifNoneMatch: string | null; readonly status: number }[]

  async function start({ key = keyOf('client'), context = ada as EvaluationContext, pollInterval = 0 } = {}) {
    const domain = `web ${domains++}`
    const traffic: Traffic = []
    const provider = new OFREPWebProvider({
      baseUrl: server.url,
      headers: [['authorization', `Bearer ${key}`]],
      cacheMode: 'disabled',
      pollInterval,
      fetchImplementation: async (input: string | URL, init?: RequestInit) => {
        const request = new Request(input, init)
        const response = await fetch(request)
        traffic.push({ ifNoneMatch: request.headers.get('if-none-match'), status: response.status })
        return response
      }
    })
    // Its hooks may be undefined, which exactOptionalPropertyTypes distinguishes from missing.
    await WebOpenFeature.setProviderAndWait(domain, provider as Provider, context)
    return { client: WebOpenFeature.getClient(domain), domain, traffic }
  }

  it('resolves values of every type from one request', async () => {
    const { client, traffic } = await start()
    expect(client.providerStatus).toBe('READY')
    expect(client.getBooleanValue('shown', false)).toBe(true)
    expect(client.getStringValue('label', '')).toBe('Bonjour')
    expect(client.getNumberValue('percent', 1)).toBe(12.5)
    expect(client.getObjectValue('layout', {})).toEqual(layout)
    expect(traffic).toEqual([{ ifNoneMatch: null, status: 200 }])
  })

  test.each([
    ['unknown', 'ERROR', 'FLAG_NOT_FOUND'],
    ['undecidable', 'ERROR', 'PARSE_ERROR'],
    ['label', 'ERROR', 'TYPE_MISMATCH'],
    ['disabled', 'DISABLED', undefined],
    ['unserved', 'DEFAULT', undefined]
  ])('falls back to the default for %s: %s %s', async (key, reason, code) => {
    const { client } = await start()
    const { value, reason: given, errorCode } = client.getBooleanDetails(key, true)
    expect({ value, given, errorCode }).toEqual({ value: true, given: reason, errorCode: code })
  })

  it('polls with the ETag and gets 304 until something changes', async () => {
    const { client, traffic } = await start({ pollInterval: 40 })
    const changes: unknown[] = []
    client.addHandler(ClientProviderEvents.ConfigurationChanged, (event) => void changes.push(event?.flagsChanged))
    await expect.poll(() => traffic.length).toBeGreaterThan(3)
    expect(traffic[0]).toEqual({ ifNoneMatch: null, status: 200 })
    expect(new Set(traffic.slice(1).map(({ status }) => status))).toEqual(new Set([304]))
    expect(changes).toEqual([])
    server.clock.now = () => NOW + DAY
    await expect.poll(() => changes).toEqual([['tomorrow']])
    expect(client.getBooleanValue('tomorrow', false)).toBe(true)
    server.clock.now = () => NOW
    await WebOpenFeature.clearProviders()
  })

  it('gets other values when an attribute changes but not the targeting key', async () => {
    const { client, domain, traffic } = await start()
    await WebOpenFeature.setContext(domain, { targetingKey: 'ada', country: 'DE' })
    expect(traffic.at(-1)).toEqual({ ifNoneMatch: expect.stringMatching(/^".+"$/), status: 200 })
    expect(client.getStringValue('label', '')).toBe('Hello')
    await WebOpenFeature.setContext(domain, { targetingKey: 'ada', country: 'DE', theme: 'dark' })
    expect(traffic.at(-1)?.status).toBe(304)
    expect(client.getStringValue('label', '')).toBe('Hello')
  })

  it('starts without a targeting key, and lacks only the flags that need one', async () => {
    const { client } = await start({ context: {} })
    expect(client.providerStatus).toBe('READY')
    expect(client.getBooleanDetails('undecidable', true).errorCode).toBe('TARGETING_KEY_MISSING')
    expect(client.getStringValue('label', '')).toBe('Hello')
  })

  it('stops permanently when its key is refused', async () => {
    await expect(start({ key: 'client-unknown' })).rejects.toThrow()
    const client = WebOpenFeature.getClient(`web ${domains - 1}`)
    expect(client.providerStatus).toBe('FATAL')
    expect(client.getBooleanDetails('shown', false)).toMatchObject({ value: false, errorCode: 'PROVIDER_FATAL' })
  })
})

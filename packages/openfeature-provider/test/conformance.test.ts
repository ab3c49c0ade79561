import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature, type Provider, ProviderStatus } from '@openfeature/server-sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BurgeeProvider, literal, type Source } from '../src/index.ts'
import { config } from './gherkin/flags.ts'
import { serveFlags } from './gherkin/onServer.ts'
import { type SetProvider, type State, steps, World } from './gherkin/steps.ts'
import { readSuites, runCase } from './gherkin/suite.ts'

/** The official suites, but for what only providers that cache can do. */
const suites = readSuites(new URL('conformance/', import.meta.url), ['@reason-codes-cached'])

const statuses: Readonly<Record<State, ProviderStatus>> = {
  stable: ProviderStatus.READY,
  'not ready': ProviderStatus.NOT_READY,
  error: ProviderStatus.ERROR,
  fatal: ProviderStatus.FATAL,
  stale: ProviderStatus.STALE
}

const quiet = { error() {}, warn() {}, info() {}, debug() {} }

/** Sets a provider, and waits until it is in the state that it is made for. */
async function settle(provider: Provider, state: State, domain: string): Promise<Provider> {
  OpenFeature.setProvider(domain, provider)
  const client = OpenFeature.getClient(domain)
  await expect.poll(() => client.providerStatus, { timeout: 10_000, interval: 5 }).toBe(statuses[state])
  return provider
}

let domains = 0

beforeAll(() => void OpenFeature.setLogger(quiet))

afterEach(async () => {
  await OpenFeature.clearProviders()
  OpenFeature.clearHooks()
  OpenFeature.setContext({})
})

/** Runs every case with providers that are made in one way, but for those that it says it cannot do. */
function conforms(
  name: string,
  setProvider: SetProvider,
  cannot: readonly (readonly [pattern: RegExp, why: string])[] = []
) {
  describe(name, () => {
    let passed = 0
    let all = 0
    for (const [file, cases] of suites) {
      for (const one of cases) {
        all++
        const [, why] = cannot.find(([pattern]) => pattern.test(one.text)) ?? []
        if (why) continue
        test(`${file}: ${one.title}`, async () => {
          await runCase(one, new World(`${name} ${domains++}`, setProvider), steps)
          passed++
        })
      }
    }
    afterAll(() => console.log(`OpenFeature's suites, ${name}: ${passed} of ${all} cases`))
  })
}

const common = { flagMetadata: false, events: false, logger: quiet } as const

/** A source that does nothing but what it is told. */
function sourceThat(start: Source['start']): Source {
  return { name: 'the source of the tests', start, close: () => {} }
}

conforms('the provider in process', (state, domain) => {
  const patient = { ...common, initTimeoutMs: 60_000 }
  switch (state) {
    case 'stable':
      return settle(new BurgeeProvider({ ...common, source: literal(config) }), state, domain)
    case 'not ready':
      return settle(new BurgeeProvider({ ...patient, source: sourceThat(() => {}) }), state, domain)
    case 'error': {
      const source = sourceThat(({ onFailure }) => onFailure({ message: 'there is nothing' }))
      return settle(new BurgeeProvider({ ...common, initTimeoutMs: 20, source }), state, domain)
    }
    case 'fatal':
      return settle(new BurgeeProvider({ ...common, url: 'flags.example.com', sdkKey: 'key' }), state, domain)
    case 'stale': {
      const source = sourceThat(({ onConfig, onFailure }) => {
        onConfig({ config })
        setTimeout(() => onFailure({ message: 'it is gone' }), 20)
      })
      return settle(new BurgeeProvider({ ...common, staleAfterMs: 20, source }), state, domain)
    }
  }
})

describe('a server, by OFREP', () => {
  let served: Awaited<ReturnType<typeof serveFlags>>

  beforeAll(async () => {
    served = await serveFlags()
  })

  afterAll(() => served.server.close())

  conforms('the provider in remote mode', async (state, domain) => {
    const { url } = served.server
    let isAway = false
    const remote = {
      ...common,
      evaluation: 'remote',
      url,
      sdkKey: served.sdkKey,
      initTimeoutMs: 60_000,
      staleAfterMs: 20,
      errorAfterMs: 60_000,
      retry: { initialMs: 5 },
      fetch: (...given: Parameters<typeof fetch>) => (isAway ? Promise.reject(new Error('away')) : fetch(...given))
    } as const
    switch (state) {
      case 'stable':
        return settle(new BurgeeProvider(remote), state, domain)
      case 'not ready':
        return settle(new BurgeeProvider({ ...remote, fetch: () => new Promise<Response>(() => {}) }), state, domain)
      case 'error':
        isAway = true
        return settle(new BurgeeProvider(remote), state, domain)
      case 'fatal':
        return settle(new BurgeeProvider({ ...remote, sdkKey: 'a key\n' }), state, domain)
      case 'stale': {
        const provider = await settle(new BurgeeProvider(remote), 'stable', domain)
        isAway = true
        await provider.resolveBooleanEvaluation('boolean-flag', false, {}, quiet)
        return settle(provider, state, domain)
      }
    }
  })

  conforms(
    'the published OFREP provider 0.1.3',
    (state, domain) => {
      // This version reads an object here where its type says pairs.
      const headers = { authorization: served.sdkKey } as never
      return settle(new OFREPProvider({ baseUrl: served.server.url, headers }), state, domain)
    },
    [
      [/^a (not ready|error|fatal|stale) provider$/m, 'it has no states'],
      [/^DISABLED reason/, 'it cannot read an answer without a value'],
      [/^Returns no metadata/, 'the server always says where a value comes from']
    ]
  )
})

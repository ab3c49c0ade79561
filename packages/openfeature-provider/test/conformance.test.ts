import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature, type Provider, ProviderStatus } from '@openfeature/server-sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BurgeeProvider, type Source, staticSource } from '../src/index.ts'
import { config } from './gherkin/flags.ts'
import { serveFlags } from './gherkin/onServer.ts'
import { type SetProvider, type State, steps, World } from './gherkin/steps.ts'
import { type Case, readSuites, runCase } from './gherkin/suite.ts'

/** The official suites. */
const suites = readSuites(new URL('conformance/', import.meta.url))

/** Cases that a kind of provider cannot pass, and why. */
type Exception = readonly [pattern: RegExp, why: string]

const caching: Exception = [/^@reason-codes-cached$/m, 'it does not cache']

const statuses: Readonly<Record<State, ProviderStatus>> = {
  stable: ProviderStatus.READY,
  'not ready': ProviderStatus.NOT_READY,
  error: ProviderStatus.ERROR,
  fatal: ProviderStatus.FATAL,
  stale: ProviderStatus.STALE
}

const quiet = { error() {}, warn() {}, info() {}, debug() {} }

/** Sets a provider and waits for its intended state. */
async function settle(provider: Provider, state: State, domain: string): Promise<Provider> {
  OpenFeature.setProvider(domain, provider)
  const client = OpenFeature.getClient(domain)
  await expect.poll(() => client.providerStatus, { interval: 5 }).toBe(statuses[state])
  return provider
}

let domains = 0

beforeAll(() => void OpenFeature.setLogger(quiet))

afterEach(async () => {
  await OpenFeature.clearProviders()
  OpenFeature.clearHooks()
  OpenFeature.setContext({})
})

/** Runs every case except the exceptions, and checks how many ran. */
function conforms(name: string, count: number, setProvider: SetProvider, cannot: readonly Exception[] = [caching]) {
  describe(name, () => {
    const all = [...suites].flatMap(([file, cases]) => cases.map((one) => ({ file, ...one })))
    const reasonOf = ({ text }: Case) => cannot.find(([pattern]) => pattern.test(text))?.[1]
    for (const one of all) {
      const why = reasonOf(one)
      const title = `${one.file}: ${one.title}`
      if (why !== undefined) test.skip(`${title}, because ${why}`)
      else test(title, () => runCase(one, new World(`${name} ${domains++}`, setProvider), steps))
    }

    test('every case runs except the listed exceptions', () => {
      expect(all).toHaveLength(132)
      const run = all.filter((one) => reasonOf(one) === undefined)
      expect(run).toHaveLength(count)
      for (const [pattern] of cannot)
        expect(
          all.some(({ text }) => pattern.test(text)),
          String(pattern)
        ).toBe(true)
      console.log(`OpenFeature's suites, ${name}: ${run.length} of ${all.length} cases are run`)
    })
  })
}

const common = { flagMetadata: false, events: false, logger: quiet } as const

/** A source that the test controls. */
function sourceThat(start: Source['start']): Source {
  return { name: 'the source of the tests', start, close: () => {} }
}

conforms('the provider in process', 130, (state, domain) => {
  const patient = { ...common, initTimeoutMs: 60_000 }
  switch (state) {
    case 'stable':
      return settle(new BurgeeProvider({ ...common, source: staticSource(config) }), state, domain)
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

describe('a server over OFREP', () => {
  let served: Awaited<ReturnType<typeof serveFlags>>

  beforeAll(async () => {
    served = await serveFlags()
  })

  afterAll(() => served.server.close())

  conforms('the provider in remote mode', 130, async (state, domain) => {
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
    107,
    (state, domain) => {
      // This version of the OFREP provider reads an object, although its type declares pairs.
      const headers = { authorization: served.sdkKey } as never
      return settle(new OFREPProvider({ baseUrl: served.server.url, headers }), state, domain)
    },
    [
      caching,
      [/^a (not ready|error|fatal|stale) provider$/m, 'it has no states'],
      [/^DISABLED reason/m, 'it cannot read an answer without a value'],
      [/^Returns no metadata/m, 'the server always says where a value comes from']
    ]
  )
})

import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import { obfuscatedKey } from '@burgee/kit/obfuscatedKey'
import { type ApiResponse, call, serve, storeWith, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { type FeaturePlan, idOf, keyOf, type Plan } from '@burgee/testing/plan'
import { runs, seed } from '@burgee/testing/scale'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { clientUser } from '../support/clientUser.ts'

/** A feature of a generated project. */
interface GeneratedFeature {
  readonly visibleTo: readonly SdkKeyType[]
  readonly status: 'active' | 'complete' | 'archived'
  readonly isOn: boolean
  /** Whether its variable was detached, so that no feature carries it. */
  readonly isFree: boolean
  readonly isOptIn: boolean
}

interface GeneratedProject {
  readonly features: readonly GeneratedFeature[]
  readonly choosesVisibility: boolean
  readonly ofrepOffValues: boolean
}

const generatedProject: fc.Arbitrary<GeneratedProject> = fc.record({
  features: fc.array(
    fc.record({
      visibleTo: fc.subarray([...sdkKeyTypes]),
      status: fc.constantFrom('active', 'active', 'complete', 'archived'),
      isOn: fc.boolean(),
      isFree: fc.integer({ max: 4, min: 0 }).map((number) => number === 0),
      isOptIn: fc.boolean()
    }),
    { minLength: 1, maxLength: 8 }
  ),
  choosesVisibility: fc.boolean(),
  ofrepOffValues: fc.boolean()
})

const featureAt = (index: number) => `feature-no-${index}-x`
const variableAt = (index: number) => `variable-no-${index}-x`

function toPlan({ features, choosesVisibility, ofrepOffValues }: GeneratedProject): Plan {
  return {
    settings: {
      sdkTypeVisibility: { enabledInFeatureSettings: choosesVisibility },
      obfuscation: { enabled: true, required: false },
      optIn: { enabled: true }
    },
    environments: { production: { ofrepOffValues } },
    features: features.map(
      ({ visibleTo, status, isOn, isOptIn }, index): FeaturePlan => ({
        key: featureAt(index),
        variables: { [variableAt(index)]: 'Boolean' },
        variations: { 'variation-on': { [variableAt(index)]: true } },
        visibleTo,
        status,
        isOptIn,
        ...(status === 'complete' ? { staticVariation: 'variation-on' } : {}),
        ...(isOn ? {} : { offIn: ['production'] })
      })
    )
  }
}

async function serveGenerated(project: GeneratedProject): Promise<TestServer> {
  const directory = await storeWith(toPlan(project))
  const store = await openStore(toStoreUrl(directory))
  for (const [index, { isFree }] of project.features.entries()) {
    if (!isFree) continue
    await store.collection('variables').update(idOf(`variable ${variableAt(index)}`), { _feature: undefined })
  }
  await store.close()
  return serve(directory)
}

const context = { context: { targetingKey: 'ada' } }
const body = { user_id: 'ada' }
const query = clientUser('ada')

type Request = (server: TestServer) => Promise<ApiResponse>

const obfuscated = { ...query, obfuscated: '1' }
const inPath = { params: { key: keyOf('server') }, key: null }

/** The requests for all flags, by the type of key whose view they show: pages receive the bootstrap documents. */
const bulkRequests: Readonly<Record<SdkKeyType, Readonly<Record<string, Request>>>> = {
  client: {
    sdkConfig: (server) => call(server, 'getClientConfig', { query, key: keyOf('client') }),
    obfuscatedSdkConfig: (server) => call(server, 'getClientConfig', { query: obfuscated, key: keyOf('client') }),
    ofrep: (server) => call(server, 'ofrepEvaluateFlags', { body: context, key: keyOf('client') }),
    optIn: (server) => call(server, 'getOptInConfig', { query: body, key: keyOf('client') }),
    bootstrap: (server) => call(server, 'getBootstrapConfig', inPath),
    obfuscatedBootstrap: (server) => call(server, 'getObfuscatedBootstrapConfig', inPath)
  },
  mobile: {
    sdkConfig: (server) => call(server, 'getMobileConfig', { query, key: keyOf('mobile') }),
    obfuscatedSdkConfig: (server) => call(server, 'getMobileConfig', { query: obfuscated, key: keyOf('mobile') }),
    ofrep: (server) => call(server, 'ofrepEvaluateFlags', { body: context, key: keyOf('mobile') }),
    optIn: (server) => call(server, 'getOptInConfig', { query: body, key: keyOf('mobile') })
  },
  server: {
    variables: (server) => call(server, 'evaluateVariables', { body }),
    features: (server) => call(server, 'evaluateFeatures', { body }),
    ofrep: (server) => call(server, 'ofrepEvaluateFlags', { body: context }),
    optIn: (server) => call(server, 'getOptInConfig', { query: body }),
    config: (server) => call(server, 'getServerConfig', inPath)
  }
}

/** Every text of a response that would name something that this type of key does not see. */
function hiddenNames({ features }: GeneratedProject, keyType: SdkKeyType): string[] {
  return features.flatMap(({ visibleTo, status, isFree }, index) => {
    const [feature, variable] = [featureAt(index), variableAt(index)]
    const isVisible = visibleTo.includes(keyType)
    const isCarried = isVisible && status !== 'archived' && !isFree
    const seesVariable = keyType === 'server' ? isVisible || isFree : isCarried
    return [
      ...(isVisible ? [] : [feature, idOf(feature), obfuscatedKey(idOf(feature))]),
      ...(seesVariable ? [] : [variable, idOf(`variable ${variable}`), obfuscatedKey(idOf(`variable ${variable}`))])
    ]
  })
}

describe('a bulk response', () => {
  it('names only flags that the type of key sees and, to client and mobile keys, that a feature carries', async () => {
    await fc.assert(
      fc.asyncProperty(generatedProject, async (project) => {
        const server = await serveGenerated(project)
        for (const keyType of sdkKeyTypes) {
          const hidden = hiddenNames(project, keyType)
          for (const [endpoint, request] of Object.entries(bulkRequests[keyType])) {
            const { status, body } = await request(server)
            const text = JSON.stringify(body)
            const named = hidden.filter((name) => text.includes(name))
            expect([keyType, endpoint, status, named]).toEqual([keyType, endpoint, 200, []])
          }
        }
        await server.close()
      }),
      { seed, numRuns: runs({ quick: 3, full: 50 }) }
    )
  }, 120_000)

  it('names the flags that the type of key sees', async () => {
    const features: FeaturePlan[] = sdkKeyTypes.map((keyType) => ({ key: `for-${keyType}`, visibleTo: [keyType] }))
    const server = await serve({ features })
    for (const keyType of sdkKeyTypes) {
      const flags = await call(server, 'ofrepEvaluateFlags', { body: context, key: keyOf(keyType) })
      expect(flags.body.flags.map(({ key }: { key: string }) => key)).toEqual([`for-${keyType}`])
    }
    expect(Object.keys((await call(server, 'evaluateVariables', { body })).body)).toEqual(['for-server'])
    const config = await call(server, 'getClientConfig', { query, key: keyOf('client') })
    expect(Object.keys(config.body.features)).toEqual(['for-client'])
  })
})

describe('the visibility of a feature', () => {
  test.each([false, true])('holds once it is stored, with enabledInFeatureSettings %j', async (isEnabled) => {
    const settings = { sdkTypeVisibility: { enabledInFeatureSettings: isEnabled } }
    const server = await serve({ settings, features: [{ key: 'pricing' }] })
    const one = async () => {
      const flag = { params: { key: 'pricing' }, body: context, key: keyOf('client') }
      const config = await call(server, 'getClientConfig', { query, key: keyOf('client') })
      return [(await call(server, 'ofrepEvaluateFlag', flag)).status, Object.keys(config.body.variables)]
    }
    expect(await one()).toEqual([200, ['pricing']])
    const params = { project: 'shop', feature: 'pricing' }
    const hidden = { sdkVisibility: { client: false } }
    expect((await call(server, 'updateFeature', { params, body: hidden })).status).toBe(200)
    expect(await one()).toEqual([404, []])
    expect((await call(server, 'evaluateVariables', { body })).body.pricing.value).toBe(true)
  })

  it('survives a change of the setting of the project', async () => {
    const server = await serve({ features: [{ key: 'pricing', visibleTo: ['server'] }] })
    for (const enabledInFeatureSettings of [true, false]) {
      const change = { settings: { sdkTypeVisibility: { enabledInFeatureSettings } } }
      expect((await call(server, 'updateProject', { params: { key: 'shop' }, body: change })).status).toBe(200)
      const { body: flags } = await call(server, 'ofrepEvaluateFlags', { body: context, key: keyOf('mobile') })
      expect(flags.flags).toEqual([])
    }
  })
})

it('a variable without a feature does not exist for client and mobile keys', async () => {
  const server = await serveGenerated({
    features: [{ visibleTo: sdkKeyTypes, status: 'active', isOn: true, isFree: true, isOptIn: false }],
    choosesVisibility: false,
    ofrepOffValues: true
  })
  for (const [keyType, status] of [
    ['client', 404],
    ['mobile', 404],
    ['server', 200]
  ] as const) {
    const flag = { params: { key: variableAt(0) }, body: context, key: keyOf(keyType) }
    expect((await call(server, 'ofrepEvaluateFlag', flag)).status).toBe(status)
  }
})

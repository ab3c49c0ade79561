import fc from 'fast-check'
import { expect } from 'vitest'
import {
  configuration,
  configurations,
  contents,
  environment,
  feature,
  featureKey,
  name,
  partial,
  variableKeys,
  variationReference,
  variationsWith
} from '../arbitraries.ts'
import * as features from '../features.ts'
import { ask, meetFeature, NOBODYS, named, type Real } from '../real.ts'
import { find, keyIn, type Model, reading } from '../state.ts'
import { configurationBody, featureBody } from './bodies.ts'
import { command, type Spec } from './command.ts'
import type { FeatureInput } from './inputs.ts'
import { revertFeature } from './revert.ts'

const inFeature = ({ feature }: { feature: string }, model: Model, real: Real) => ({
  params: { feature: named(real, model.features, feature) }
})

/** Compares the feature of a command with the model, by its current key. */
function agreeOnFeature(key: string | undefined, model: Model, real: Real, body: unknown): void {
  const found = model.features.find((each) => each.key === key)
  expect(found?.key).toBe(key)
  if (found) meetFeature(model, real, found, body)
}

/** The commands that create features. */
export const createFeature: Spec<FeatureInput & { key: string; name: string }> = {
  operation: 'createFeature',
  rule: features.createFeature,
  request: (given, model, real) => ({ body: featureBody(given, model, real) }),
  agree: ({ key }, model, real, body) => agreeOnFeature(key, model, real, body)
}

/** All commands on features. */
export const featureCommands = [
  ...command(
    4,
    fc
      .record({ key: featureKey, name, bare: fc.boolean(), contents, configurations })
      .map(({ bare, contents, ...rest }) => (bare ? rest : { ...rest, ...contents })),
    createFeature
  ),
  ...command(
    6,
    fc.record({
      feature,
      body: fc.oneof(
        partial<FeatureInput>({
          key: featureKey,
          name,
          description: fc.constantFrom('', 'Said'),
          tags: fc.subarray(['a', 'b']),
          configurations
        }),
        contents,
        contents.map(({ variables }) => ({ variables })),
        fc.subarray([...variableKeys]).chain((keys) => variationsWith(keys).map((variations) => ({ variations }))),
        variationsWith([]).map((variations) => ({ variations }))
      ) as fc.Arbitrary<FeatureInput>
    }),
    {
      operation: 'updateFeature',
      rule: ({ feature, body }) => features.updateFeature(feature, body),
      request: ({ feature, body }, model, real) => ({
        ...inFeature({ feature }, model, real),
        body: featureBody(body, model, real, find(model.features, feature))
      }),
      agree: ({ feature, body }, model, real, answer) => agreeOnFeature(body.key ?? keyIn(feature), model, real, answer)
    }
  ),
  ...command(6, fc.record({ feature, environment, body: configuration }), {
    operation: 'updateFeatureConfiguration',
    rule: ({ feature, environment, body }) => features.updateConfiguration(feature, environment, body),
    request: ({ feature, environment, body }, model, real) => ({
      ...inFeature({ feature }, model, real),
      query: { environment: named(real, model.environments, environment) },
      body: configurationBody(body, model, real, find(model.features, feature), find(model.environments, environment))
    }),
    agree: async ({ feature }, model, real) => {
      const { body } = await ask(real, 'getFeature', { params: { feature: keyIn(feature) } })
      agreeOnFeature(keyIn(feature), model, real, body)
    }
  }),
  ...command(
    3,
    fc.oneof(
      fc.record({ feature, status: fc.constant('complete' as const), staticVariation: variationReference }),
      fc.record({ feature, status: fc.constantFrom('active' as const, 'active' as const, 'archived' as const) })
    ) as fc.Arbitrary<{ feature: string; status: 'active' | 'complete' | 'archived'; staticVariation?: string }>,
    {
      operation: 'updateFeatureStatus',
      rule: ({ feature, status, staticVariation }) => features.updateStatus(feature, status, staticVariation),
      request: ({ feature, status, staticVariation }, model, real) => ({
        ...inFeature({ feature }, model, real),
        body: {
          status,
          ...(staticVariation
            ? { staticVariation: named(real, find(model.features, feature)?.variations ?? [], staticVariation) }
            : {})
        }
      }),
      agree: ({ feature }, model, real, body) => agreeOnFeature(keyIn(feature), model, real, body)
    }
  ),
  ...command(1, fc.record({ feature }), {
    operation: 'killFeature',
    rule: ({ feature }) => features.killFeature(feature),
    request: inFeature,
    agree: ({ feature }, model, real, body) => agreeOnFeature(keyIn(feature), model, real, body)
  }),
  ...command(3, fc.record({ feature, back: fc.nat(6) }), {
    operation: 'revertFeature',
    rule: ({ feature, back }) => revertFeature(feature, back),
    request: async ({ feature, back }, model, real) => {
      const { params } = inFeature({ feature }, model, real)
      const { body: log } = await ask(real, 'getFeatureAudit', { params, query: { perPage: 1000 } })
      return { params: { ...params, entry: find(model.features, feature) ? log[back % log.length]._id : NOBODYS } }
    },
    agree: ({ feature }, model, real, body) => {
      const handle = real.handles.get(body._id)
      const found = model.features.find((each) => each.handle === handle)
      expect(found, `${feature} is known`).toBeDefined()
      agreeOnFeature(found?.key, model, real, body)
    }
  }),
  ...command(2, fc.record({ feature, deleteVariables: fc.boolean() }), {
    operation: 'deleteFeature',
    rule: ({ feature, deleteVariables }) => features.deleteFeature(feature, deleteVariables),
    request: ({ feature, deleteVariables }, model, real) => ({
      ...inFeature({ feature }, model, real),
      query: { deleteVariables }
    })
  }),
  ...command(1, fc.record({ feature }), {
    operation: 'getFeature',
    rule: ({ feature }) => reading((model) => Boolean(find(model.features, feature))),
    request: inFeature,
    agree: ({ feature }, model, real, body) => agreeOnFeature(keyIn(feature), model, real, body)
  })
]

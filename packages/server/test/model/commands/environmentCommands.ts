import type { ApiResponse } from '@burgee/testing/harness'
import fc from 'fast-check'
import { expect } from 'vitest'
import { environment, environmentKey, name, partial } from '../arbitraries.ts'
import * as environments from '../environments.ts'
import { meetEnvironment, named, type Real } from '../real.ts'
import { find, keyIn, keyTypes, type Model } from '../state.ts'
import { command } from './command.ts'

function agreeOnEnvironment(key: string, model: Model, real: Real, body: ApiResponse['body']): void {
  const found = find(model.environments, key)
  expect(found?.key).toBe(keyIn(key))
  if (found) meetEnvironment(real, found, body)
}

const keyType = fc.constantFrom(...keyTypes)

/** All commands on environments and their SDK keys. */
export const environmentCommands = [
  ...command(2, fc.record({ key: fc.oneof(fc.constant('quality' as const), environmentKey), name }), {
    operation: 'createEnvironment',
    rule: ({ key, name }) => environments.createEnvironment(key, name),
    request: (given) => ({ body: { ...given, type: 'production' } }),
    agree: ({ key }, model, real, body) => agreeOnEnvironment(key, model, real, body)
  }),
  ...command(1, fc.record({ environment, body: partial({ key: environmentKey, name }) }), {
    operation: 'updateEnvironment',
    rule: ({ environment, body }) => environments.updateEnvironment(environment, body),
    request: ({ environment, body }, model, real) => ({
      params: { key: named(real, model.environments, environment) },
      body
    }),
    agree: ({ environment, body }, model, real, answer) =>
      agreeOnEnvironment(body.key ?? environment, model, real, answer)
  }),
  ...command(1, fc.record({ environment }), {
    operation: 'deleteEnvironment',
    rule:
      ({ environment }) =>
      (model, faults) =>
        environments.deleteEnvironment(environment)(model, faults),
    request: ({ environment }, model, real) => {
      const keys = Object.values(find(model.environments, environment)?.keys ?? {}).flat()
      // The keys survive a refused deletion, of the only environment.
      if (model.environments.length > 1) for (const key of keys) real.deadKeys.add(real.ids.get(key) ?? '')
      return { params: { key: named(real, model.environments, environment) } }
    }
  }),
  ...command(3, fc.record({ environment, types: fc.subarray([...keyTypes]) }), {
    operation: 'generateSdkKeys',
    rule: ({ environment, types }) => environments.generateKeys(environment, types),
    request: ({ environment, types }, model, real) => ({
      params: { environment: named(real, model.environments, environment) },
      body: Object.fromEntries(types.map((type) => [type, true]))
    }),
    agree: ({ environment }, model, real, body) => agreeOnEnvironment(environment, model, real, body)
  }),
  ...command(2, fc.record({ environment, type: keyType, index: fc.nat(1) }), {
    operation: 'invalidateSdkKey',
    rule: ({ environment, type, index }) => environments.invalidateKey(environment, type, index),
    request: ({ environment, type, index }, model, real) => {
      const keys = find(model.environments, environment)?.keys[type] ?? []
      const key = real.ids.get(keys[index] ?? '') ?? 'server-nobodys'
      if (keys.length > 1 && index < keys.length) real.deadKeys.add(key)
      return { params: { environment: named(real, model.environments, environment), key } }
    }
  })
]

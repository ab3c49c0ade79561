import { type ApiResponse, call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'
import { keyIn, type Model, type ModelEnvironment, type ModelFeature } from './state.ts'
import { environmentOf, featureOf, featureSeen } from './views.ts'

/** A server that can be restarted. */
export interface World {
  server: TestServer
  readonly restart: () => Promise<void>
}

/** The project of a model, with the ids of its handles, which never change. */
export interface Real {
  readonly world: World
  readonly project: string
  readonly ids: Map<string, string>
  readonly handles: Map<string, string>
  /** Invalidated SDK keys. */
  readonly deadKeys: Set<string>
  /** The observed results of random distributions, which have to repeat. */
  readonly drawn: Map<string, string>
}

/** A reference in a request; for an unknown item, an unused id. */
export function named(real: Real, items: readonly { key: string; handle: string }[], reference: string): string {
  if (!reference.startsWith('id:')) return reference
  const item = items.find(({ key }) => key === keyIn(reference))
  return (item && real.ids.get(item.handle)) ?? NOBODYS
}

/** An unused id. */
export const NOBODYS = 'f'.repeat(24)

/** Calls an operation on the project. */
export function ask(real: Real, operation: Parameters<typeof call>[1], given: Parameters<typeof call>[2] = {}) {
  const params = { project: real.project, ...given.params }
  return call(real.world.server, operation, { ...given, params })
}

/** Records the id of a handle, and expects the mapping to be one-to-one. */
export function meet(real: Real, handle: string, id: string): void {
  expect([handle, real.ids.get(handle) ?? id]).toEqual([handle, id])
  expect([id, real.handles.get(id) ?? handle]).toEqual([id, handle])
  real.ids.set(handle, id)
  real.handles.set(id, handle)
}

/** Compares a feature in a response with the model. */
export function meetFeature(model: Model, real: Real, feature: ModelFeature, body: ApiResponse['body']): void {
  expect(featureSeen(model, real.handles, body)).toEqual(featureOf(model, feature))
  meet(real, feature.handle, body._id)
  for (const [index, { handle }] of feature.variations.entries()) meet(real, handle, body.variations[index]._id)
  for (const { _id, key } of body.variables) {
    meet(real, model.variables.find((variable) => variable.key === key)?.handle ?? '', _id)
  }
  for (const { _environment, targets } of body.configurations) {
    const present = feature.configurations[real.handles.get(_environment) ?? '']?.targets ?? []
    for (const [index, { handle }] of present.entries()) meet(real, handle, targets[index]._id)
  }
}

/** Compares an environment in a response with the model. */
export function meetEnvironment(real: Real, environment: ModelEnvironment, body: ApiResponse['body']): void {
  const { key, name, sdkKeys } = body
  const count = (type: 'server' | 'client' | 'mobile') => sdkKeys[type].length
  expect({ key, name, keys: [count('server'), count('client'), count('mobile')] }).toEqual(environmentOf(environment))
  meet(real, environment.handle, body._id)
  for (const type of ['server', 'client', 'mobile'] as const) {
    for (const [index, handle] of environment.keys[type].entries()) meet(real, handle, sdkKeys[type][index].key)
  }
}

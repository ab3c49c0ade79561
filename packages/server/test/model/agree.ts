import { call } from '@burgee/testing/harness'
import { expect } from 'vitest'
import { type Expected, evaluate, valuesIn } from './evaluate.ts'
import { ask, meet, meetEnvironment, meetFeature, type Real } from './real.ts'
import type { Model, ModelEnvironment } from './state.ts'
import { audienceOf, byKey, variableOf, whoSeen } from './views.ts'

/** The users of evaluations. */
export const users = ['ada', 'bob', 'cyd'] as const

/** Compares the whole project with the model: lists, audit logs, evaluations, invalidated keys. */
export async function agreeWholly(model: Model, real: Real): Promise<void> {
  await agreeOnEnvironments(model, real)
  await agreeOnAudiences(model, real)
  await agreeOnVariables(model, real)
  await agreeOnFeatures(model, real)
  for (const environment of model.environments) {
    for (const user of users) await agreeOnUser(model, real, environment, user)
  }
  for (const key of real.deadKeys) {
    const { status } = await call(real.world.server, 'evaluateFeatures', { key, body: { user_id: 'ada' } })
    expect(status).toBe(401)
  }
}

const all = { query: { perPage: 1000, sortBy: 'key', sortOrder: 'asc' } }

/** Compares the environments with the model, and records their ids and SDK keys. */
export async function agreeOnEnvironments(model: Model, real: Real): Promise<void> {
  const { body, headers } = await ask(real, 'listEnvironments', all)
  const expected = model.environments.toSorted(byKey)
  expect(body.map(({ key }: { key: string }) => key)).toEqual(expected.map(({ key }) => key))
  expect(headers.count).toBe(String(expected.length))
  for (const [index, environment] of expected.entries()) meetEnvironment(real, environment, body[index])
}

async function agreeOnAudiences(model: Model, real: Real): Promise<void> {
  const { body } = await ask(real, 'listAudiences', { query: { ...all.query, includeUsage: true } })
  const seen = body.map(({ key, name, filters, hasUsage }: (typeof body)[number]) => {
    return { key, name, who: whoSeen(model, real.handles, filters), isUsed: hasUsage }
  })
  expect(seen).toEqual(model.audiences.toSorted(byKey).map((audience) => audienceOf(model, audience)))
}

async function agreeOnVariables(model: Model, real: Real): Promise<void> {
  const { body } = await ask(real, 'listVariables', all)
  expect(body.map(variableOf)).toEqual(model.variables.toSorted(byKey).map(variableOf))
  for (const { key, _id, _feature } of body) {
    const { handle = '', feature } = model.variables.find((variable) => variable.key === key) ?? {}
    meet(real, handle, _id)
    expect(real.handles.get(_feature)).toBe(feature)
  }
}

async function agreeOnFeatures(model: Model, real: Real): Promise<void> {
  const { body } = await ask(real, 'listFeatures', all)
  const expected = model.features.toSorted(byKey)
  expect(body.map(({ key }: { key: string }) => key)).toEqual(expected.map(({ key }) => key))
  for (const [index, feature] of expected.entries()) {
    meetFeature(model, real, feature, body[index])
    const log = await ask(real, 'getFeatureAudit', { params: { feature: feature.key }, query: { perPage: 1 } })
    expect([feature.key, log.headers.count]).toEqual([feature.key, String(feature.log.length)])
  }
}

/** Compares the evaluation of one user in an environment with the model. */
export async function agreeOnUser(
  model: Model,
  real: Real,
  environment: ModelEnvironment,
  user_id: string
): Promise<void> {
  const key = real.ids.get(environment.keys.server.at(-1) ?? '') ?? ''
  const features = await call(real.world.server, 'evaluateFeatures', { key, body: { user_id } })
  const variables = await call(real.world.server, 'evaluateVariables', { key, body: { user_id } })
  expect([features.status, variables.status]).toEqual([200, 200])
  const expected = evaluate(model, environment, user_id)
  expect(Object.keys(features.body).sort()).toEqual(Object.keys(expected).sort())
  const got: Record<string, string> = {}
  for (const [feature, { target, variations }] of Object.entries(expected)) {
    const { _id, variationKey, _variation, eval: reason } = features.body[feature]
    expect(variations).toContain(variationKey)
    got[feature] = variationKey
    if (!target) continue
    expect(reason.target_id).toBe(real.ids.get(target.handle))
    agreeOnChance(real, `${_id} ${user_id} ${drawOf(target)}`, _variation)
  }
  const values = Object.entries(variables.body).map(([variable, seen]) => [
    variable,
    (seen as { value: unknown }).value
  ])
  expect(Object.fromEntries(values)).toEqual(valuesIn(model, got))
}

/** The inputs of a random distribution. */
function drawOf({ handle, shares }: NonNullable<Expected[string]['target']>): string {
  return `${handle} ${shares.map(({ variation, percentage }) => `${variation}:${percentage}`).join()}`
}

function agreeOnChance({ drawn }: Real, draw: string, variation: string): void {
  expect(`${draw} → ${variation}`).toBe(`${draw} → ${drawn.get(draw) ?? variation}`)
  drawn.set(draw, variation)
}

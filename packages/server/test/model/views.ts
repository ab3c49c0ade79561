import type { ApiResponse } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { isUsed } from './audiences.ts'
import {
  type Model,
  type ModelAudience,
  type ModelEnvironment,
  type ModelFeature,
  type ModelTarget,
  type ModelVariable,
  variablesOf,
  type Who
} from './state.ts'

/** A feature of the model as the caller sees it, with keys for handles. */
export function featureOf(model: Model, feature: ModelFeature): object {
  const { key, name, description, tags, status, variations, configurations } = feature
  const keyOf = (handle: string | undefined) => variations.find((variation) => variation.handle === handle)?.key
  const carried = variablesOf(model, feature)
  return {
    key,
    name,
    description,
    tags,
    status,
    staticVariation: keyOf(feature.fixed),
    controlVariation: keyOf(feature.control) ?? '',
    variables: carried.map(variableOf).sort(byKey),
    variations: variations.map((variation) => ({
      key: variation.key,
      name: variation.name,
      variables: Object.fromEntries(carried.map(({ key, handle }) => [key, variation.values[handle]]))
    })),
    configurations: Object.fromEntries(
      model.environments.map(({ handle, key }) => {
        const { isActive, targets } = configurations[handle] ?? nothing
        const shown = targets.map((target) => targetOf(model, target, keyOf))
        return [key, { status: isActive ? 'active' : 'inactive', hasStarted: isActive, targets: shown }]
      })
    )
  }
}

const nothing: ModelFeature['configurations'][string] = { isActive: false, targets: [] }

function targetOf(
  model: Model,
  { who, starts, shares }: ModelTarget,
  keyOf: (handle: string) => string | undefined
): object {
  const serves = shares.map(({ variation, percentage }) => [keyOf(variation), round(percentage)])
  return { who: whoOf(model, who), starts, serves }
}

function whoOf(model: Model, who: Who): unknown {
  if (who === 'everybody' || 'users' in who) return who
  return { audience: model.audiences.find(({ handle }) => handle === who.audience)?.key }
}

/** The compared members of a variable of the model or of a response. */
export function variableOf({ key, name, type, status }: ModelVariable): { key: string } {
  return { key, name, type, status } as { key: string }
}

/** An environment with its number of keys. */
export function environmentOf({ key, name, keys }: ModelEnvironment): { key: string } {
  return { key, name, keys: [keys.server.length, keys.client.length, keys.mobile.length] } as { key: string }
}

/** An audience, with keys for handles. */
export function audienceOf(model: Model, audience: ModelAudience): object {
  const { key, name, who } = audience
  return { key, name, who: whoOf(model, who), isUsed: isUsed(model, audience) }
}

/** A feature of a response in the same form. `handles` maps its ids. */
export function featureSeen(model: Model, handles: ReadonlyMap<string, string>, body: ApiResponse['body']): object {
  const { key, name, description, tags, status, staticVariation, controlVariation, variables, variations } = body
  const keyOf = (id: string) => variations.find((variation: { _id: string }) => variation._id === id)?.key
  const environment = (id: string) => model.environments.find(({ handle }) => handle === handles.get(id))?.key ?? id
  return {
    key,
    name,
    description,
    tags,
    status,
    staticVariation,
    controlVariation,
    variables: variables.map(variableOf).sort(byKey),
    variations: variations.map(({ _id, ...members }: { _id: string }) => members),
    configurations: Object.fromEntries(
      body.configurations.map(({ _environment, status, startedAt, targets }: ApiResponse['body']) => {
        const shown = targets.map((target: ApiResponse['body']) => targetSeen(model, handles, target, keyOf))
        // One that is turned off has the date of its last start.
        const hasStarted = status === 'active' && startedAt !== undefined
        return [environment(_environment), { status, hasStarted, targets: shown }]
      })
    )
  }
}

function targetSeen(
  model: Model,
  handles: ReadonlyMap<string, string>,
  { audience, rollout, distribution }: ApiResponse['body'],
  keyOf: (id: string) => string | undefined
): object {
  const starts = rollout && (Date.parse(rollout.startDate) > NOW ? 'tomorrow' : 'yesterday')
  const serves = distribution.map(({ _variation, percentage }: ApiResponse['body']) => [
    keyOf(_variation),
    round(percentage)
  ])
  return { who: whoSeen(model, handles, audience.filters), starts, serves }
}

/** The users of filters, as far as commands generate any. */
export function whoSeen(
  model: Model,
  handles: ReadonlyMap<string, string>,
  { filters: [filter] }: ApiResponse['body']
): unknown {
  if (filter.type === 'all') return 'everybody'
  if (filter.type === 'user') return { users: filter.values }
  const handle = handles.get(filter._audiences[0])
  return { audience: model.audiences.find((audience) => audience.handle === handle)?.key }
}

/** Sorts by key, as the server does. */
export function byKey(one: { key: string }, other: { key: string }): number {
  return one.key < other.key ? -1 : 1
}

/** Thirds have different sums in different orders. */
function round(percentage: number): number {
  return Math.round(percentage * 1e6) / 1e6
}

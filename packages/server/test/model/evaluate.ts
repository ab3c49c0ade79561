import type { Json } from '@burgee/core'
import {
  type Model,
  type ModelEnvironment,
  type ModelFeature,
  type ModelTarget,
  variablesOf,
  type Who
} from './state.ts'

/** Feature key → the targets and variations that one user may get: more than one for a random distribution. */
export type Expected = Record<string, { target?: ModelTarget; variations: string[] }>

/** The possible results of one user in an environment. */
export function evaluate(model: Model, environment: ModelEnvironment, user: string): Expected {
  const served = model.features.flatMap((feature): [string, Expected[string]][] => {
    const configuration = feature.configurations[environment.handle]
    if (feature.status === 'archived' || !configuration?.isActive) return []
    if (feature.status === 'complete') return [[feature.key, { variations: keysOf(feature, [feature.fixed ?? '']) }]]
    const target = configuration.targets.find(({ who, starts }) => starts !== 'tomorrow' && isIn(model, user, who))
    if (!target) return []
    const shares = target.shares.filter(({ percentage }) => percentage > 0)
    return [
      [
        feature.key,
        {
          target,
          variations: keysOf(
            feature,
            shares.map(({ variation }) => variation)
          )
        }
      ]
    ]
  })
  return Object.fromEntries(served)
}

/** Variable key → its value, for a user who got these variations: feature key → variation key. */
export function valuesIn(model: Model, got: Readonly<Record<string, string>>): Record<string, Json> {
  const values = model.features.flatMap((feature) => {
    const variation = feature.variations.find(({ key }) => key === got[feature.key])
    if (!variation) return []
    return variablesOf(model, feature).map(({ key, handle }) => [key, variation.values[handle] ?? null] as const)
  })
  return Object.fromEntries(values)
}

function isIn(model: Model, user: string, who: Who): boolean {
  if (who === 'everybody') return true
  if ('users' in who) return who.users.includes(user)
  const audience = model.audiences.find(({ handle }) => handle === who.audience)
  return audience !== undefined && isIn(model, user, audience.who)
}

function keysOf({ variations }: ModelFeature, handles: readonly string[]): string[] {
  return variations.filter(({ handle }) => handles.includes(handle)).map(({ key }) => key)
}

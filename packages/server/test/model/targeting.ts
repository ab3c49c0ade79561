import type { ConfigurationInput, TargetInput, WhoInput } from './commands/inputs.ts'
import {
  type Faults,
  find,
  keyIn,
  type Model,
  type ModelConfiguration,
  type ModelFeature,
  type ModelTarget,
  type ModelVariation,
  newHandle
} from './state.ts'

/** Changes the configuration of a feature in one environment. */
export function configure(
  model: Model,
  faults: Faults,
  feature: ModelFeature,
  environment: string,
  { status, targets }: ConfigurationInput
): void {
  const configuration = feature.configurations[environment] ?? nothingSaid()
  feature.configurations[environment] = configuration
  if (targets) {
    const present = configuration.targets
    configuration.targets = targets.map((target) => toTarget(model, faults, feature, target, present))
  }
  if (status === 'inactive') configuration.isActive = false
  if (status === 'active') {
    const fixed = feature.variations.find(({ handle }) => handle === feature.fixed)
    if (configuration.targets.length === 0 && !fixed) faults.add(412)
    if (configuration.targets.length === 0 && fixed) configuration.targets = [toEverybody(model, fixed)]
    configuration.isActive = true
  }
}

/** The configuration of a feature in an environment by default. */
export function nothingSaid(): ModelConfiguration {
  return { isActive: false, targets: [] }
}

function toTarget(
  model: Model,
  faults: Faults,
  { variations }: ModelFeature,
  { who, starts, serves, keeps }: TargetInput,
  present: readonly ModelTarget[]
): ModelTarget {
  const kept = keeps === undefined ? undefined : present[keeps]
  const shares = serves.map(([reference, percentage]) => {
    const variation = find(variations, reference)
    if (!variation) faults.add(400)
    return { variation: variation?.handle ?? '', percentage }
  })
  const handle = kept?.handle ?? newHandle(model)
  return { handle, who: toWho(model, faults, who), ...(starts ? { starts } : {}), shares }
}

/** The users of a target, with the audience by its handle. */
export function toWho(model: Model, faults: Faults, who: WhoInput): ModelTarget['who'] {
  if (who === 'everybody' || 'users' in who) return who
  const audience = find(model.audiences, who.audience)
  if (!audience) faults.add(400)
  return { audience: audience?.handle ?? '' }
}

/** A target that serves one variation to all users. */
export function toEverybody(model: Model, { handle }: ModelVariation): ModelTarget {
  return { handle: newHandle(model), who: 'everybody', shares: [{ variation: handle, percentage: 1 }] }
}

/** Whether a distribution is invalid in itself: shares that do not add up, or a repeated variation. */
export function isMalformed({ serves }: TargetInput): boolean {
  const sum = serves.reduce((total, [, percentage]) => total + percentage, 0)
  return Math.abs(sum - 1) > 0.001 || new Set(serves.map(([reference]) => keyIn(reference))).size < serves.length
}

/** Adapts targets that a request omits to added and removed variations. */
export function fitShares(
  faults: Faults,
  feature: ModelFeature,
  former: readonly ModelVariation[],
  targeted: ReadonlySet<string>
): void {
  const handles = feature.variations.map(({ handle }) => handle)
  const added = handles.filter((handle) => former.every((variation) => variation.handle !== handle))
  const isGone = ({ variation }: { variation: string }) => !handles.includes(variation)
  if (added.length === 0 && !former.some(({ handle }) => isGone({ variation: handle }))) return
  for (const [environment, configuration] of Object.entries(feature.configurations)) {
    if (targeted.has(environment)) continue
    for (const target of configuration.targets) {
      if (configuration.isActive && target.shares.some((share) => share.percentage > 0 && isGone(share))) {
        faults.add(412)
      }
      const isRandom = target.shares.length > 1
      const kept = target.shares.filter((share) => !isGone(share))
      const joined = isRandom ? added.map((variation) => ({ variation, percentage: 0 })) : []
      const shares = [...kept, ...joined]
      const isTouched = kept.length < target.shares.length || joined.length > 0
      if (configuration.isActive) target.shares = shares
      else if (isRandom && isTouched) {
        target.shares = shares.map(({ variation }) => ({ variation, percentage: 1 / shares.length }))
      } else if (kept.length === 0 && feature.control) target.shares = [{ variation: feature.control, percentage: 1 }]
    }
  }
}

/** An environment in which a feature is off and has no targets has the default configuration. */
export function forgetEmpty({ configurations }: ModelFeature): void {
  for (const [environment, { isActive, targets }] of Object.entries(configurations)) {
    if (!isActive && targets.length === 0) delete configurations[environment]
  }
}

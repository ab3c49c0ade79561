import { isDeepStrictEqual } from 'node:util'
import type { Audience, Config, Feature, Target, Variable } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import { ownMetadata } from '../evaluation/flagMetadata.ts'
import { type DifferingItems, differingItems } from './differingItems.ts'

/**
 * Returns the sorted keys of the flags whose evaluation may differ between two configs. Members that evaluation does
 * not read are ignored. The comparison is fastest if the configs share their unchanged parts (`shareStructure`).
 */
export function changedFlags(before: Config | undefined, after: Config): string[] {
  if (!before) return after.variables.map(({ key }) => key).sort()
  const [old, now] = differingParts(before, after)
  const comparison = new Comparison(old, now)
  const keys = new Set([...old.variables, ...now.variables].map(({ key }) => key))
  return [...keys].filter((key) => !comparison.isUnchanged(key)).sort()
}

/**
 * Leaves out the unchanged features and their flags, if nothing else than features and variables changed. Flags of a
 * changed feature that are in unchanged features too are compared as if they were not, which makes no difference: those
 * are the same objects in the same order.
 */
function differingParts(before: Config, after: Config): [Config, Config] {
  const features = differingItems(before.features, after.features)
  const variables = differingItems(before.variables, after.variables)
  const isOnlyItems =
    // Where features moved, the others matter.
    !features.isReordered &&
    isDeepStrictEqual(before.offValues, after.offValues) &&
    hasSameDependencies(before, after) &&
    !refersToAny(after.features, new Set(features.added), differingIds(variables))
  if (!isOnlyItems) return [before, after]
  const ids = new Set([...features.removed, ...features.added].flatMap(variableIdsOf))
  for (const { _id } of [...variables.removed, ...variables.added]) ids.add(_id)
  const isCompared = ({ _id }: Variable): boolean => ids.has(_id)
  return [
    { ...before, features: features.removed, variables: before.variables.filter(isCompared) },
    { ...after, features: features.added, variables: after.variables.filter(isCompared) }
  ]
}

/** The ids that variables have in only one of two configs. */
function differingIds({ removed, added }: DifferingItems<Variable>): ReadonlySet<string> {
  const ids = new Set(added.map(({ _id }) => _id))
  for (const { _id } of removed) if (!ids.delete(_id)) ids.add(_id)
  return ids
}

/** Whether a feature that is not in `except` refers to a variable: it can be served only if the variable is known. */
function refersToAny(
  features: readonly Feature[],
  except: ReadonlySet<Feature>,
  variableIds: ReadonlySet<string>
): boolean {
  if (variableIds.size === 0) return false
  const refers = ({ variations }: Feature): boolean =>
    variations.some(({ variables }) => variables.some(({ _var }) => variableIds.has(_var)))
  return features.some((feature) => !except.has(feature) && refers(feature))
}

function variableIdsOf({ variations }: Feature): string[] {
  return variations.flatMap(({ variables }) => variables.map(({ _var }) => _var))
}

function hasSameDependencies(before: Config, after: Config): boolean {
  return (
    isDeepStrictEqual(before.audiences ?? {}, after.audiences ?? {}) &&
    isDeepStrictEqual(projectSettingsOf(before), projectSettingsOf(after))
  )
}

/** Compares two configs. */
class Comparison {
  readonly #before: FlagIndex
  readonly #after: FlagIndex
  readonly #hasSameVariables: boolean
  readonly #hasSameDependencies: boolean
  readonly #rules = new Map<Feature, boolean>()

  constructor(before: Config, after: Config) {
    this.#before = new FlagIndex(before)
    this.#after = new FlagIndex(after)
    this.#hasSameVariables =
      before.variables === after.variables || isDeepStrictEqual(this.#before.ids, this.#after.ids)
    this.#hasSameDependencies = hasSameDependencies(before, after)
  }

  /** Whether a flag evaluates to the same result for every user. */
  isUnchanged(key: string): boolean {
    const [before, after] = [this.#before, this.#after]
    const [old, now] = [before.variables.get(key), after.variables.get(key)]
    if (!old || !now || (old !== now && !isDeepStrictEqual(variableFieldsOf(old), variableFieldsOf(now)))) return false
    if (!isDeepStrictEqual(ownProperty(before.config.offValues, key), ownProperty(after.config.offValues, key)))
      return false
    const [featuresBefore, features] = [before.featuresOf(old), after.featuresOf(now)]
    return (
      featuresBefore.length === features.length &&
      features.every((feature, index) => {
        const previous = featuresBefore[index]
        if (previous?._id !== feature._id || !this.#hasSameRules(previous, feature)) return false
        return previous === feature || isDeepStrictEqual(before.valuesOf(previous, old), after.valuesOf(feature, now))
      })
    )
  }

  /** Whether both features serve the same variation to every user, and whether it can be served is unchanged. */
  #hasSameRules(one: Feature, other: Feature): boolean {
    const known = this.#rules.get(one)
    if (known !== undefined) return known
    const [before, after] = [this.#before, this.#after]
    const isSame = one === other
    const isUnchanged =
      (isSame || isDeepStrictEqual(rulesOf(one), rulesOf(other))) &&
      ((isSame && this.#hasSameVariables) || isDeepStrictEqual(before.variationsOf(one), after.variationsOf(other))) &&
      ((isSame && this.#hasSameDependencies) ||
        isDeepStrictEqual(before.dependenciesOf(one), after.dependenciesOf(other)))
    this.#rules.set(one, isUnchanged)
    return isUnchanged
  }
}

/** The members of a variable that appear in results. */
function variableFieldsOf(variable: Variable): unknown {
  return [variable._id, variable.type, ownMetadata(variable.metadata)]
}

/** The project settings that evaluation reads. */
function projectSettingsOf({ project: { settings } }: Config): { isOptInEnabled: boolean; isPassthrough: boolean } {
  return {
    isOptInEnabled: Boolean(settings?.optIn?.enabled),
    isPassthrough: settings?.disablePassthroughRollouts !== true
  }
}

/** The flags of a config and the features that serve them. */
class FlagIndex {
  readonly config: Config
  readonly variables: ReadonlyMap<string, Variable>
  readonly ids: ReadonlySet<string>
  readonly #features = new Map<string, Feature[]>()
  readonly #values = new Map<Feature, ReadonlyMap<string, unknown>>()

  constructor(config: Config) {
    this.config = config
    this.variables = new Map(config.variables.map((variable) => [variable.key, variable]))
    this.ids = new Set(config.variables.map(({ _id }) => _id))
    for (const feature of config.features) {
      for (const { variables } of feature.variations) {
        for (const { _var } of variables) {
          const features = listFor(this.#features, _var)
          // Another variation may have added the feature already.
          if (features.at(-1) !== feature) features.push(feature)
        }
      }
    }
  }

  /** The features that have a value for a variable, in order of precedence. */
  featuresOf({ _id }: Variable): readonly Feature[] {
    return this.#features.get(_id) ?? []
  }

  /** The values of a variable in a feature, each with the index of its variation. */
  valuesOf(feature: Feature, { _id }: Variable): unknown {
    const known = this.#values.get(feature)
    if (known) return known.get(_id)
    const values = new Map<string, unknown[]>()
    for (const [index, { variables }] of feature.variations.entries()) {
      for (const { _var, value } of variables) listFor(values, _var).push([index, value])
    }
    this.#values.set(feature, values)
    return values.get(_id)
  }

  /**
   * The part of the variations that affects every flag of the feature: a variation with an unknown variable cannot be
   * served.
   */
  variationsOf({ variations }: Feature): unknown {
    return variations.map(({ _id, key, variables }) => [_id, key, variables.some(({ _var }) => !this.ids.has(_var))])
  }

  /** Everything outside the feature that its rules read. */
  dependenciesOf({ configuration: { targets }, settings }: Feature): unknown {
    const audiences = new Map<string, Audience | undefined>()
    let readsOptIn = false
    // The compiler accepts members of any shape here.
    const visit = (members: unknown): void => {
      for (const member of arrayIn(members, 'filters')) {
        if (isRecord(member) && member.operator) visit(member)
        else if (isRecord(member) && member.type === 'optIn') readsOptIn = true
        else if (isRecord(member) && member.type === 'audienceMatch')
          arrayIn(member, '_audiences').forEach(visitAudience)
      }
    }
    const visitAudience = (id: unknown): void => {
      if (typeof id !== 'string' || audiences.has(id)) return
      const audience = ownProperty(this.config.audiences, id)
      audiences.set(id, audience)
      visit(audience?.filters)
    }
    for (const { _audience } of targets) visit(_audience.filters)
    const { isOptInEnabled, isPassthrough } = projectSettingsOf(this.config)
    const hasRollouts = targets.some(({ rollout }) => rollout)
    return [
      [...audiences].map(([id, audience]) => [id, audience?.filters]),
      readsOptIn && isOptInEnabled && Boolean(settings?.optInEnabled),
      hasRollouts && !isPassthrough
    ]
  }
}

function rulesOf({ configuration: { targets } }: Feature): unknown {
  return targets.map(ruleOf)
}

/**
 * The members of a target that evaluation reads. A rollout of `null` includes every user, but with a different reason.
 */
function ruleOf({ _id, _audience, distribution, rollout, bucketingKey }: Target): unknown {
  return [_id, _audience.filters, distribution, rollout, bucketingKey]
}

function listFor<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? []
  if (list.length === 0) lists.set(name, list)
  return list
}

function ownProperty<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined
}

function arrayIn(value: unknown, member: string): readonly unknown[] {
  const list = isRecord(value) ? value[member] : undefined
  return Array.isArray(list) ? list : []
}

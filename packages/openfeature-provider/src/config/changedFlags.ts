import { isDeepStrictEqual } from 'node:util'
import type { Audience, Config, Feature, Target, Variable } from '@burgee/core'
import { isRecord } from '../lib/json.ts'
import { ownMetadata } from '../metadata.ts'

/**
 * The keys of the flags for which some user may be answered otherwise by one state of a config than by another, in
 * order: nothing that evaluation does not read counts, and nothing of a feature that decides about other flags only. It
 * takes least time where the states share what did not change (`shareParts`).
 */
export function changedFlags(before: Config | undefined, after: Config): string[] {
  if (!before) return after.variables.map(({ key }) => key).sort()
  const comparison = new Comparison(before, after)
  const keys = new Set([...before.variables, ...after.variables].map(({ key }) => key))
  return [...keys].filter((key) => !comparison.isUnchanged(key)).sort()
}

/** Two states of a config, one beside the other. */
class Comparison {
  readonly #old: FlagIndex
  readonly #now: FlagIndex
  readonly #hasSameVariables: boolean
  readonly #hasSameSurroundings: boolean
  readonly #rules = new Map<Feature, boolean>()

  constructor(before: Config, after: Config) {
    this.#old = new FlagIndex(before)
    this.#now = new FlagIndex(after)
    this.#hasSameVariables = before.variables === after.variables || isDeepStrictEqual(this.#old.ids, this.#now.ids)
    this.#hasSameSurroundings =
      isDeepStrictEqual(before.audiences ?? {}, after.audiences ?? {}) &&
      isDeepStrictEqual(projectSettingsOf(before), projectSettingsOf(after))
  }

  /** Whether a flag answers the same to everybody. */
  isUnchanged(key: string): boolean {
    const [old, now] = [this.#old, this.#now]
    const [was, is] = [old.variables.get(key), now.variables.get(key)]
    if (!was || !is || (was !== is && !isDeepStrictEqual(variableFieldsOf(was), variableFieldsOf(is)))) return false
    if (!isDeepStrictEqual(ownProperty(old.config.offValues, key), ownProperty(now.config.offValues, key))) return false
    const [carriersThen, carriers] = [old.featuresOf(was), now.featuresOf(is)]
    return (
      carriersThen.length === carriers.length &&
      carriers.every((feature, index) => {
        const then = carriersThen[index]
        if (then?._id !== feature._id || !this.#isDecidedAlike(then, feature)) return false
        return then === feature || isDeepStrictEqual(old.valuesOf(then, was), now.valuesOf(feature, is))
      })
    )
  }

  /** Whether a feature serves each user the same variation, and one that can be served. */
  #isDecidedAlike(one: Feature, other: Feature): boolean {
    const known = this.#rules.get(one)
    if (known !== undefined) return known
    const [old, now] = [this.#old, this.#now]
    const isSame = one === other
    const isUnchanged =
      (isSame || isDeepStrictEqual(rulesOf(one), rulesOf(other))) &&
      ((isSame && this.#hasSameVariables) || isDeepStrictEqual(old.variationsOf(one), now.variationsOf(other))) &&
      ((isSame && this.#hasSameSurroundings) || isDeepStrictEqual(old.dependenciesOf(one), now.dependenciesOf(other)))
    this.#rules.set(one, isUnchanged)
    return isUnchanged
  }
}

/** What of a variable answers tell. */
function variableFieldsOf(variable: Variable): unknown {
  return [variable._id, variable.type, ownMetadata(variable.metadata)]
}

/** What of the project's settings evaluation reads. */
function projectSettingsOf({ project: { settings } }: Config): { isOptInEnabled: boolean; isPassthrough: boolean } {
  return {
    isOptInEnabled: Boolean(settings?.optIn?.enabled),
    isPassthrough: settings?.disablePassthroughRollouts !== true
  }
}

/** The flags of a config, and what decides about them. */
class FlagIndex {
  readonly config: Config
  readonly variables: ReadonlyMap<string, Variable>
  readonly ids: ReadonlySet<string>
  readonly #carriers = new Map<string, Feature[]>()
  readonly #values = new Map<Feature, ReadonlyMap<string, unknown>>()

  constructor(config: Config) {
    this.config = config
    this.variables = new Map(config.variables.map((variable) => [variable.key, variable]))
    this.ids = new Set(config.variables.map(({ _id }) => _id))
    for (const feature of config.features) {
      for (const { variables } of feature.variations) {
        for (const { _var } of variables) {
          const carriers = listFor(this.#carriers, _var)
          // Another variation of it may have said so.
          if (carriers.at(-1) !== feature) carriers.push(feature)
        }
      }
    }
  }

  /** The features that carry a variable, in order of precedence. */
  featuresOf({ _id }: Variable): readonly Feature[] {
    return this.#carriers.get(_id) ?? []
  }

  /** The values that a feature gives a variable, each with its variation's place. */
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

  /** What of a feature's variations every one of its flags depends on: a variation with an unknown variable cannot be served. */
  variationsOf({ variations }: Feature): unknown {
    return variations.map(({ _id, key, variables }) => [_id, key, variables.some(({ _var }) => !this.ids.has(_var))])
  }

  /** Everything outside of a feature that its rules read. */
  dependenciesOf({ configuration: { targets }, settings: own }: Feature): unknown {
    const audiences = new Map<string, Audience | undefined>()
    let asksOptIn = false
    // The compiler reads these leniently, so members may be anything.
    const visit = (members: unknown): void => {
      for (const member of arrayIn(members, 'filters')) {
        if (isRecord(member) && member.operator) visit(member)
        else if (isRecord(member) && member.type === 'optIn') asksOptIn = true
        else if (isRecord(member) && member.type === 'audienceMatch') arrayIn(member, '_audiences').forEach(enter)
      }
    }
    const enter = (id: unknown): void => {
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
      asksOptIn && isOptInEnabled && Boolean(own?.optInEnabled),
      hasRollouts && !isPassthrough
    ]
  }
}

function rulesOf({ configuration: { targets } }: Feature): unknown {
  return targets.map(ruleOf)
}

/** What of a target evaluation reads: a rollout of `null` admits everybody as none does, and makes another reason. */
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

import { isDeepStrictEqual } from 'node:util'
import type { Audience, Config, Feature, Target, Variable } from '@burgee/core'
import { isRecord } from './isRecord.ts'

/**
 * The keys of the flags for which some user may be answered otherwise by one state of a config than by another, in
 * order: nothing that evaluation does not read counts, and nothing of a feature that decides about other flags only.
 */
export function changedFlags(before: Config | undefined, after: Config): string[] {
  if (!before) return after.variables.map(({ key }) => key).sort()
  const old = new Flags(before)
  const now = new Flags(after)
  const rules = new Map<Feature, boolean>()
  const isDecidedAlike = (one: Feature, other: Feature): boolean => {
    const known = rules.get(one)
    if (known !== undefined) return known
    const isAlike = areRulesAlike(old, one, now, other)
    rules.set(one, isAlike)
    return isAlike
  }
  const keys = new Set([...old.variables.keys(), ...now.variables.keys()])
  return [...keys].filter((key) => !isAlike(key, old, now, isDecidedAlike)).sort()
}

function isAlike(key: string, old: Flags, now: Flags, isDecidedAlike: (one: Feature, other: Feature) => boolean) {
  const [was, is] = [old.variables.get(key), now.variables.get(key)]
  if (!was || !is || !isDeepStrictEqual(was, is)) return false
  if (!isDeepStrictEqual(ownMember(old.config.offValues, key), ownMember(now.config.offValues, key))) return false
  const [carriersThen, carriers] = [old.carriersOf(was), now.carriersOf(is)]
  return (
    carriersThen.length === carriers.length &&
    carriers.every((feature, index) => {
      const then = carriersThen[index]
      if (then?._id !== feature._id) return false
      return isDecidedAlike(then, feature) && isDeepStrictEqual(valuesOf(then, was), valuesOf(feature, is))
    })
  )
}

/** The flags of a config, and what decides about them. */
class Flags {
  readonly config: Config
  readonly variables: ReadonlyMap<string, Variable>
  readonly #ids: ReadonlySet<string>
  readonly #carriers = new Map<string, Feature[]>()

  constructor(config: Config) {
    this.config = config
    this.variables = new Map(config.variables.map((variable) => [variable.key, variable]))
    this.#ids = new Set(config.variables.map(({ _id }) => _id))
    for (const feature of config.features) {
      const carried = new Set(feature.variations.flatMap(({ variables }) => variables.map(({ _var }) => _var)))
      for (const id of carried) this.#carriers.set(id, [...(this.#carriers.get(id) ?? []), feature])
    }
  }

  /** The features that carry a variable, in order of precedence. */
  carriersOf({ _id }: Variable): readonly Feature[] {
    return this.#carriers.get(_id) ?? []
  }

  /** What of a feature's variations every one of its flags depends on: a variation with an unknown variable cannot be served. */
  variationsOf({ variations }: Feature): unknown {
    return variations.map(({ _id, key, variables }) => [_id, key, variables.some(({ _var }) => !this.#ids.has(_var))])
  }

  /** Everything outside of a feature that its rules read. */
  surroundingsOf({ configuration: { targets }, settings: own }: Feature): unknown {
    const audiences = new Map<string, Audience | undefined>()
    let asksOptIn = false
    // The compiler reads these leniently, so members may be anything.
    const visit = (members: unknown): void => {
      for (const member of listIn(members, 'filters')) {
        if (isRecord(member) && member.operator) visit(member)
        else if (isRecord(member) && member.type === 'optIn') asksOptIn = true
        else if (isRecord(member) && member.type === 'audienceMatch') listIn(member, '_audiences').forEach(enter)
      }
    }
    const enter = (id: unknown): void => {
      if (typeof id !== 'string' || audiences.has(id)) return
      const audience = ownMember(this.config.audiences, id)
      audiences.set(id, audience)
      visit(audience?.filters)
    }
    for (const { _audience } of targets) visit(_audience.filters)
    const { settings } = this.config.project
    const hasRollouts = targets.some(({ rollout }) => rollout)
    return [
      [...audiences].map(([id, audience]) => [id, audience?.filters]),
      asksOptIn && Boolean(settings?.optIn?.enabled && own?.optInEnabled),
      hasRollouts && settings?.disablePassthroughRollouts === true
    ]
  }
}

function areRulesAlike(old: Flags, one: Feature, now: Flags, other: Feature): boolean {
  const rules = (feature: Feature): unknown => feature.configuration.targets.map(ruleOf)
  return (
    (one === other || isDeepStrictEqual(rules(one), rules(other))) &&
    isDeepStrictEqual(old.variationsOf(one), now.variationsOf(other)) &&
    isDeepStrictEqual(old.surroundingsOf(one), now.surroundingsOf(other))
  )
}

/** What of a target evaluation reads. */
function ruleOf({ _id, _audience, distribution, rollout, bucketingKey }: Target): unknown {
  return [_id, _audience.filters, distribution, rollout ?? undefined, bucketingKey]
}

/** By variation: the value that a feature gives a variable. */
function valuesOf({ variations }: Feature, { _id }: Variable): unknown {
  return variations.map(({ variables }) => variables.filter(({ _var }) => _var === _id).map(({ value }) => value))
}

function ownMember<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members && Object.hasOwn(members, name) ? members[name] : undefined
}

function listIn(value: unknown, member: string): readonly unknown[] {
  const list = isRecord(value) ? value[member] : undefined
  return Array.isArray(list) ? list : []
}

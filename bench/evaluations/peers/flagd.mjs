import { FlagdCore } from '@openfeature/flagd-core'
import { callsOf, flatUser, NOTHING } from './calls.mjs'

/**
 * flagd's evaluator, with the flags in its own format, written as its documentation suggests. It hashes differently
 * from Burgee: a split assigns the same shares to other users.
 */
export function prepare({ flags, ask }, users) {
  const core = load(toConfig(flags))
  return {
    inputs: users.map((user) => flatUser(user, 'targetingKey')),
    ...callsOf(ask, {
      one: (context) => core.resolveStringEvaluation(ask, NOTHING, context),
      readOne: ({ value }) => value,
      all: (context) => core.resolveAll(context),
      readAll: (results) => Object.fromEntries(results.map(({ flagKey, value }) => [flagKey, value]))
    })
  }
}

export function load(text) {
  const core = new FlagdCore()
  core.setConfigurations(text)
  return core
}

export function toConfig(flags) {
  return JSON.stringify({ flags: Object.fromEntries(flags.map((flag) => [flag.key, toFlag(flag)])) })
}

function toFlag({ rules }) {
  const values = [NOTHING, ...rules.flatMap(({ serve }) => serve.map(({ value }) => value))]
  return {
    state: 'ENABLED',
    variants: Object.fromEntries(values.map((value) => [value, value])),
    defaultVariant: NOTHING,
    targeting: toTargeting(rules)
  }
}

function toTargeting(rules) {
  const [first] = rules
  if (rules.length === 1 && first.when.length === 0) return toOutcome(first)
  return { if: [...rules.flatMap((rule) => [toCondition(rule.when), toOutcome(rule)]), NOTHING] }
}

function toCondition(when) {
  const conditions = when.map(({ custom, member, is, values }) => {
    const attribute = { var: member === 'user_id' ? 'targetingKey' : (member ?? custom) }
    if (is === 'versionAtLeast') return { sem_ver: [attribute, '>=', values[0]] }
    if (is === 'atLeast') return { '>=': [attribute, values[0]] }
    return values.length === 1 ? { '==': [attribute, values[0]] } : { in: [attribute, values] }
  })
  return conditions.length === 1 ? conditions[0] : { and: conditions }
}

function toOutcome({ serve, admits = 100 }) {
  if (serve.length === 1 && admits === 100) return serve[0].value
  const shares = serve.map(({ value, share }) => [value, (share * admits) / 100])
  return { fractional: admits === 100 ? shares : [...shares, [NOTHING, 100 - admits]] }
}

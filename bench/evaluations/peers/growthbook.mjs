import { GrowthBookClient } from '@growthbook/growthbook'
import { callsOf, flatUser, NOTHING } from './calls.mjs'

/** GrowthBook's client for servers, with a payload in memory. It has no call for all flags. */
export function prepare({ flags, ask }, users) {
  const client = load(toConfig(flags))
  const keys = flags.map(({ key }) => key)
  return {
    inputs: users.map((user) => ({ attributes: flatUser(user, 'id') })),
    ...callsOf(ask, {
      one: (context) => client.getFeatureValue(ask, NOTHING, context),
      readOne: (value) => value,
      all: (context) => keys.map((key) => client.getFeatureValue(key, NOTHING, context)),
      readAll: (values) => Object.fromEntries(values.map((value, index) => [keys[index], value]))
    })
  }
}

export function load(text) {
  return new GrowthBookClient().initSync({ payload: JSON.parse(text) })
}

export function toConfig(flags) {
  const features = flags.map(({ key, rules }) => {
    return [key, { defaultValue: NOTHING, rules: rules.map((rule, index) => toRule(`${key}-${index}`, rule)) }]
  })
  return JSON.stringify({ features: Object.fromEntries(features) })
}

function toRule(key, { when, admits = 100, serve }) {
  const condition = when.length === 0 ? {} : { condition: Object.assign({}, ...when.map(toCondition)) }
  if (serve.length === 1) {
    const rollout = admits === 100 ? {} : { coverage: admits / 100, hashAttribute: 'id', hashVersion: 2, seed: key }
    return { ...condition, force: serve[0].value, ...rollout }
  }
  return {
    ...condition,
    key,
    seed: key,
    hashAttribute: 'id',
    hashVersion: 2,
    coverage: admits / 100,
    variations: serve.map(({ value }) => value),
    weights: serve.map(({ share }) => share / 100)
  }
}

function toCondition({ custom, member, is, values }) {
  const attribute = member === 'user_id' ? 'id' : (member ?? custom)
  if (is === 'versionAtLeast') return { [attribute]: { $vgte: values[0] } }
  if (is === 'atLeast') return { [attribute]: { $gte: values[0] } }
  return { [attribute]: values.length === 1 ? values[0] : { $in: values } }
}

import { once } from 'node:events'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { callsOf, NOTHING } from './calls.mjs'

/** Unleash's client, with bootstrap data. It does not fetch, and sends no metrics. It has no call for all flags. */
export async function prepare({ flags, ask }, users) {
  const client = await load(toConfig(flags))
  const keys = flags.map(({ key }) => key)
  const nothing = { name: NOTHING, enabled: false }
  return {
    close: () => close(client),
    inputs: users.map(toContext),
    ...callsOf(ask, {
      one: (context) => client.getVariant(ask, context, nothing),
      readOne,
      all: (context) => keys.map((key) => client.getVariant(key, context, nothing)),
      readAll: (variants) => Object.fromEntries(variants.map((variant, index) => [keys[index], readOne(variant)]))
    })
  }
}

function readOne({ enabled, payload }) {
  return enabled ? payload.value : undefined
}

export async function load(text) {
  const client = new Unleash({
    appName: 'bench',
    // Not reached: an interval of 0 disables fetching.
    url: 'http://127.0.0.1:9/api/',
    refreshInterval: 0,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    bootstrap: { data: JSON.parse(text) },
    storageProvider: new InMemStorageProvider()
  })
  client.on('error', () => {})
  await once(client, 'ready')
  return client
}

export function close(client) {
  client.destroy()
}

export function toConfig(flags) {
  return JSON.stringify(
    flags.map((flag) => ({
      name: flag.key,
      type: 'release',
      enabled: true,
      strategies: flag.rules.map((rule, index) => toStrategy(`${flag.key}-${index}`, rule)),
      variants: []
    }))
  )
}

function toStrategy(groupId, { when, admits = 100, serve }) {
  return {
    name: 'flexibleRollout',
    parameters: { rollout: String(admits), stickiness: 'userId', groupId },
    constraints: when.map(toConstraint),
    variants: serve.map(({ value, share }) => ({
      name: value,
      weight: share * 10,
      stickiness: 'userId',
      payload: { type: 'string', value }
    }))
  }
}

function toConstraint({ custom, member, is, values }) {
  const contextName = member === 'user_id' ? 'userId' : (member ?? custom)
  const constraint = { contextName, inverted: false, caseInsensitive: false }
  if (is === 'versionAtLeast') return { ...constraint, operator: 'SEMVER_GTE', values: [], value: values[0] }
  if (is === 'atLeast') return { ...constraint, operator: 'NUM_GTE', values: [], value: String(values[0]) }
  return { ...constraint, operator: 'IN', values }
}

function toContext({ user_id, customData, email, country, appVersion }) {
  return { userId: user_id, properties: { email, country, appVersion, ...customData } }
}

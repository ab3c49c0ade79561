import { init } from '@launchdarkly/node-server-sdk'
import { TestData } from '@launchdarkly/node-server-sdk/integrations'
import { callsOf, flatUser, NOTHING, valuesOfFlag } from './calls.mjs'

/** LaunchDarkly's SDK, with flags in memory, and without events. Its calls return promises, which are awaited. */
export async function prepare({ flags, ask }, users) {
  const client = await load(toConfig(flags))
  return {
    close: () => close(client),
    inputs: users.map((user) => ({ kind: 'user', ...flatUser(user, 'key') })),
    ...callsOf(ask, {
      one: (context) => client.variation(ask, context, NOTHING),
      readOne: (value) => value,
      all: async (context) => (await client.allFlagsState(context)).allValues(),
      readAll: (values) => values
    })
  }
}

export async function load(text) {
  const data = new TestData()
  for (const flag of JSON.parse(text)) await data.usePreconfiguredFlag(flag)
  const client = init('sdk-key', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: { error: console.error, warn() {}, info() {}, debug() {} }
  })
  await client.waitForInitialization({ timeout: 10 })
  return client
}

export function close(client) {
  client.close()
}

export function toConfig(flags) {
  return JSON.stringify(flags.map(toFlag))
}

function toFlag(flag) {
  const variations = [NOTHING, ...valuesOfFlag(flag)]
  return {
    key: flag.key,
    version: 1,
    on: true,
    salt: flag.key,
    variations,
    offVariation: 0,
    fallthrough: { variation: 0 },
    rules: flag.rules.map((rule, index) => ({
      id: `${flag.key}-${index}`,
      clauses: rule.when.length === 0 ? [] : rule.when.map(toClause),
      ...toOutcome(rule, variations)
    })),
    ...(flag.rules[0].when.length === 0 ? { rules: [], fallthrough: toOutcome(flag.rules[0], variations) } : {})
  }
}

/** Weights are thousandths of a percent. */
function toOutcome({ admits = 100, serve }, variations) {
  const numberOf = (value) => variations.indexOf(value)
  if (serve.length === 1 && admits === 100) return { variation: numberOf(serve[0].value) }
  const shares = serve.map(({ value, share }) => ({ variation: numberOf(value), weight: share * admits * 10 }))
  const rest = admits === 100 ? [] : [{ variation: 0, weight: (100 - admits) * 1000 }]
  return { rollout: { contextKind: 'user', bucketBy: 'key', variations: [...shares, ...rest] } }
}

function toClause({ custom, member, is, values }) {
  const clause = { contextKind: 'user', attribute: member === 'user_id' ? 'key' : (member ?? custom) }
  // There is no operator for "at least" of versions.
  if (is === 'versionAtLeast') return { ...clause, op: 'semVerLessThan', values, negate: true }
  return { ...clause, op: is === 'atLeast' ? 'greaterThanOrEqual' : 'in', values }
}

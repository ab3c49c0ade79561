import { createInstance } from '@featurevisor/sdk'
import { callsOf, flatUser, valuesOfFlag } from './calls.mjs'

/** Featurevisor's SDK, with a datafile in memory. */
export function prepare({ flags, ask }, users) {
  const instance = load(toConfig(flags))
  return {
    inputs: users.map((user) => flatUser(user, 'userId')),
    ...callsOf(ask, {
      one: (context) => instance.getVariation(ask, context) ?? null,
      readOne: (value) => value ?? undefined,
      all: (context) => instance.getAllEvaluations(context),
      readAll: (evaluations) => {
        return Object.fromEntries(Object.entries(evaluations).map(([key, { variation }]) => [key, variation]))
      }
    })
  }
}

export function load(text) {
  return createInstance({ datafile: text, logLevel: 'error' })
}

export function toConfig(flags) {
  const segments = {}
  const features = {}
  for (const flag of flags) {
    features[flag.key] = {
      key: flag.key,
      bucketBy: 'userId',
      variations: valuesOfFlag(flag).map((value) => ({ value })),
      traffic: flag.rules.map((rule, index) => {
        const key = `${flag.key}-${index}`
        if (rule.when.length > 0) segments[key] = { key, conditions: rule.when.map(toCondition) }
        return toTraffic(key, rule)
      })
    }
  }
  return JSON.stringify({ schemaVersion: '2', revision: '1', segments, features })
}

/** Percentages and ranges are thousandths of a percent. */
function toTraffic(key, { when, admits = 100, serve }) {
  let start = 0
  const allocation = serve.map(({ value, share }) => {
    const end = start + share * admits * 10
    const range = [start, end]
    start = end
    return { variation: value, range }
  })
  return { key, segments: when.length === 0 ? '*' : key, percentage: admits * 1000, allocation }
}

const operators = { in: 'in', atLeast: 'greaterThanOrEquals', versionAtLeast: 'semverGreaterThanOrEquals' }

function toCondition({ custom, member, is, values }) {
  const attribute = member === 'user_id' ? 'userId' : (member ?? custom)
  if (is === 'in' && values.length === 1) return { attribute, operator: 'equals', value: values[0] }
  return { attribute, operator: operators[is], value: is === 'in' ? values : values[0] }
}

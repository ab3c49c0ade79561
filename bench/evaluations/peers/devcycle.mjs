import { createRequire } from 'node:module'
import { toDocument } from '../document.mjs'

// The package is CommonJS, and `import` does not find its named exports.
export const { generateBucketedConfig } = createRequire(import.meta.url)('@devcycle/bucketing')

/** The reference engine: the vendor's bucketing in TypeScript. It always evaluates all flags. */
export function prepare({ flags, ask }, users) {
  const config = load(toConfig(flags))
  const variables = (user) => generateBucketedConfig({ config, user }).variables
  if (ask === 'json') return { inputs: users, ask: (user) => JSON.stringify(variables(user)), read: JSON.parse }
  if (ask === 'all') return { inputs: users, ask: variables, read: (result) => result }
  return {
    inputs: users,
    ask: (user) => variables(user)[ask],
    read: (variable) => (variable ? { [ask]: variable } : {})
  }
}

export function load(text) {
  return setDates(JSON.parse(text))
}

export function toConfig(flags) {
  return JSON.stringify(toDocument(flags))
}

/**
 * Returns a copy of a config document with the dates of its rollouts as Date objects, which the reference engine
 * compares.
 */
export function withDates(document) {
  return setDates(structuredClone(document))
}

function setDates(config) {
  for (const { configuration } of config.features) {
    for (const { rollout } of configuration.targets) {
      if (!rollout) continue
      rollout.startDate = new Date(rollout.startDate)
      for (const stage of rollout.stages ?? []) stage.date = new Date(stage.date)
    }
  }
  return config
}

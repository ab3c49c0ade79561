import { compile } from '@burgee/core'
import { variablesText } from '@burgee/core/text'
import { toDocument } from './document.mjs'

/** Burgee, called as an application does. */
export function prepare({ flags, ask }, users) {
  const evaluator = load(toConfig(flags))
  if (ask === 'json') return { inputs: users, ask: (user) => variablesText(evaluator, user), read: JSON.parse }
  if (ask === 'all') return { inputs: users, ask: (user) => evaluator.resolveAll(user), read: served }
  return {
    inputs: users,
    ask: (user) => evaluator.variable(user, ask),
    read: (variable) => (variable ? { [ask]: variable } : {})
  }
}

export function load(text) {
  return compile(JSON.parse(text))
}

export function toConfig(flags) {
  return JSON.stringify(toDocument(flags))
}

/** Returns the served variables by key. */
function served(resolutions) {
  const variables = resolutions.flatMap((resolution) => (resolution.status === 'served' ? [resolution.variable] : []))
  return Object.fromEntries(variables.map((variable) => [variable.key, variable]))
}

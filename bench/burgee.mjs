import { compile } from '@burgee/core'
import { toDocument } from './document.mjs'

/** Burgee, called as an application does. */
export function prepare({ flags, ask }, users) {
  const evaluator = compile(toDocument(flags))
  if (ask === 'json')
    return { inputs: users, ask: (user) => JSON.stringify(evaluator.variables(user)), read: JSON.parse }
  if (ask === 'all') return { inputs: users, ask: (user) => evaluator.resolveAll(user), read: served }
  return {
    inputs: users,
    ask: (user) => evaluator.variable(user, ask),
    read: (variable) => (variable ? { [ask]: variable } : {})
  }
}

/** Returns the served variables by key. */
function served(resolutions) {
  const variables = resolutions.flatMap((resolution) => (resolution.status === 'served' ? [resolution.variable] : []))
  return Object.fromEntries(variables.map((variable) => [variable.key, variable]))
}

import { compile } from '@burgee/core'
import { toDocument } from './document.mjs'

/** Burgee, asked as an application asks it. */
export function prepare({ flags, ask }, users) {
  const evaluator = compile(toDocument(flags))
  if (ask === 'json')
    return { inputs: users, ask: (user) => JSON.stringify(evaluator.variables(user)), read: JSON.parse }
  if (ask === 'all') return { inputs: users, ask: (user) => evaluator.variables(user), read: (answer) => answer }
  return {
    inputs: users,
    ask: (user) => evaluator.variable(user, ask),
    read: (variable) => (variable ? { [ask]: variable } : {})
  }
}

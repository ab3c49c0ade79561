/** The value for users without a matching rule, for peers that always return one. */
export const NOTHING = 'none'

/**
 * Returns the timed call for `ask`, and the function that reads the served values from its result. A peer evaluates
 * `one` flag or `all` flags for an input; `readOne` and `readAll` read values from these results.
 */
export function callsOf(ask, { one, readOne, all, readAll }) {
  if (ask === 'all') return { ask: all, read: (results) => served(readAll(results)) }
  if (ask === 'json') return { ask: toText(all), read: (text) => served(readAll(JSON.parse(text))) }
  return { ask: one, read: (result) => served({ [ask]: readOne(result) }) }
}

/** Returns the function that serializes the results of `all`, which may be a promise. */
function toText(all) {
  return (input) => {
    const results = all(input)
    return typeof results.then === 'function' ? results.then(JSON.stringify) : JSON.stringify(results)
  }
}

function served(values) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== NOTHING)
  return Object.fromEntries(entries.map(([key, value]) => [key, { value }]))
}

/** Returns a user as a flat object with the id as `idMember`. */
export function flatUser({ user_id, customData, ...members }, idMember) {
  return { [idMember]: user_id, ...members, ...customData }
}

/** Returns the values of the rules of a flag. */
export function valuesOfFlag({ rules }) {
  return [...new Set(rules.flatMap(({ serve }) => serve.map(({ value }) => value)))]
}

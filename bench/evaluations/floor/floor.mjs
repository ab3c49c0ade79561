import { targetId, toDocument } from '../document.mjs'
import { atLeast, limitsOf, murmur3, seedOf } from './floorHash.mjs'
import { floorProgram } from './floorProgram.mjs'

/**
 * A lower bound of the cost: an evaluator written by hand for each workload, which assumes the structure of the flags
 * and allocates nothing. It is of no use outside of this benchmark.
 */
export function prepare({ name, flags, ask }, users) {
  if (ask === 'all' || ask === 'json') return floorProgram(flags, ask, users)
  const decide = floors[name](flags.find(({ key }) => key === ask))
  return { inputs: users, ask: decide, read: (value) => (value === undefined ? {} : { [ask]: { value } }) }
}

/** The least that reading a config takes. */
export function load(text) {
  return JSON.parse(text)
}

export function toConfig(flags) {
  return JSON.stringify(toDocument(flags))
}

const floors = { a: attribute, b: tenRules, c: halves, f: idList, g: attributeOfMany }

function attribute(flag) {
  const [plan] = flag.rules[0].when[0].values
  const split = halves(flag)
  return (user) => (user.customData.plan === plan ? split(user) : undefined)
}

/** In a project with many flags, only the lookup of the key is added. */
function attributeOfMany(flag) {
  const byKey = new Map([...Array.from({ length: 999 }, (_, index) => [`other-${index}`]), [flag.key, attribute(flag)]])
  return (user) => byKey.get(flag.key)(user)
}

function halves(flag) {
  const seed = seedOf(targetId(flag, 0))
  const [{ value: first, limit }, { value: second }] = limitsOf(flag.rules[0].serve)
  return (user) => (murmur3(user.user_id, seed) < limit ? first : second)
}

function idList(flag) {
  const ids = new Set(flag.rules[0].when[0].values)
  const [{ value }] = flag.rules[0].serve
  return (user) => (ids.has(user.user_id) ? value : undefined)
}

function tenRules({ rules }) {
  const countries = rules.map(({ when }) => new Set(when[0].values))
  const ages = Float64Array.from(rules, ({ when }) => when[1].values[0])
  const versions = Float64Array.from(rules, ({ when }) => atLeast(when[2].values[0]))
  const values = rules.map(({ serve }) => serve[0].value)
  return (user) => {
    const { country, appVersion } = user
    const { age } = user.customData
    const version = atLeast(appVersion)
    for (let index = 0; index < values.length; index++) {
      if (version >= versions[index] && age >= ages[index] && countries[index].has(country)) return values[index]
    }
    return undefined
  }
}

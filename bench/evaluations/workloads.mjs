import { seeded } from '../lib/random.mjs'
import { countries, makeUsers } from './users.mjs'

/**
 * The workloads by name. Each has a list of flags and an evaluation: `ask` is the key of one flag, or `all`, or `json`
 * for all flags as JSON text, or `load` to make a client from the text of the flags.
 *
 * Flags are written in a neutral format, which `document.mjs`, `floor.mjs` and the files in `peers/` convert. A flag has string
 * values and rules. The first rule whose conditions all match decides: it admits `admits` percent of its users, and
 * serves each value to a share of these, in percent. A user without a matching rule gets no value.
 */
export const workloads = {
  a: {
    title: 'one rule on a custom attribute, 50/50 by id',
    makeFlags: () => [attribute('flag-0', 'pro')],
    ask: 'flag-0'
  },
  b: { title: '10 rules of 3 conditions, the last matches', makeFlags: () => [tenRules('flag-0')], ask: 'flag-0' },
  c: { title: 'all users, 50/50 by id', makeFlags: () => [split('flag-0')], ask: 'flag-0' },
  f: { title: 'user id in a list of 10,000', makeFlags: () => [idList('flag-0', 10_000)], ask: 'flag-0' },
  g: { title: 'flag a in a project of 1,000 flags', makeFlags: () => mixed(1000), ask: 'flag-500' },
  d10: { title: 'all flags of a mixed project of 10', makeFlags: () => mixed(10), ask: 'all' },
  d100: { title: 'all flags of a mixed project of 100', makeFlags: () => mixed(100), ask: 'all' },
  d1000: { title: 'all flags of a mixed project of 1,000', makeFlags: () => mixed(1000), ask: 'all' },
  j100: { title: 'd100 as JSON text', makeFlags: () => mixed(100), ask: 'json' },
  load: { title: '1,000 flags, from text to ready', makeFlags: () => mixed(1000), ask: 'load' },
  load10k: { title: '10,000 flags, from text to ready', makeFlags: () => mixed(10_000), ask: 'load' }
}

/** Returns the flags of a realistic project: rules on attributes, splits, lists, versions and rollouts, in turn. */
function mixed(count) {
  return Array.from({ length: count }, (_, index) => {
    const key = `flag-${index}`
    const cycle = Math.floor(index / 5)
    switch (index % 5) {
      case 0:
        return attribute(key, cycle % 4 === 3 ? 'free' : 'pro')
      case 1:
        return split(key)
      case 2:
        return idList(key, 50)
      case 3:
        return version(key, `${cycle % 6}.${(cycle * 7) % 20}.0`)
      default:
        return rollout(key, 10 + ((cycle * 10) % 90))
    }
  })
}

const HALVES = [
  { value: 'on', share: 50 },
  { value: 'off', share: 50 }
]
const ON = [{ value: 'on', share: 100 }]

function attribute(key, plan) {
  return { key, rules: [{ when: [{ custom: 'plan', is: 'in', values: [plan] }], serve: HALVES }] }
}

function split(key) {
  return { key, rules: [{ when: [], serve: HALVES }] }
}

function version(key, least) {
  return { key, rules: [{ when: [{ member: 'appVersion', is: 'versionAtLeast', values: [least] }], serve: HALVES }] }
}

function rollout(key, admits) {
  const when = [{ member: 'country', is: 'in', values: countries.slice(0, 3) }]
  return { key, rules: [{ when, admits, serve: ON }] }
}

let users

/** Half of the listed ids belong to users of the workload, half to no user. */
function idList(key, length) {
  const random = seeded(length + key.length)
  users ??= makeUsers()
  const values = Array.from({ length }, (_, index) => {
    return index % 2 === 0 ? random.one(users).user_id : `user_${random.text(9)}`
  })
  return { key, rules: [{ when: [{ member: 'user_id', is: 'in', values }], serve: ON }] }
}

/** Nine rules fail only at their third condition, so that all conditions are evaluated. */
function tenRules(key) {
  return {
    key,
    rules: Array.from({ length: 10 }, (_, index) => ({
      when: [
        { member: 'country', is: 'in', values: countries.map((_, at) => countries[(at + index) % countries.length]) },
        { custom: 'age', is: 'atLeast', values: [index + 8] },
        { member: 'appVersion', is: 'versionAtLeast', values: [index < 9 ? `${9 - index}0.1.0` : '0.0.0'] }
      ],
      serve: index < 9 ? [{ value: 'off', share: 100 }] : ON
    }))
  }
}

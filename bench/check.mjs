import { isDeepStrictEqual } from 'node:util'

/** The number of users for checks of the slow engines. */
const SLOW_USERS = 200

/**
 * Throws unless all contenders return the same results. Burgee must equal the reference engine, and the floor must
 * equal Burgee. flagd hashes differently, so only the shares of its splits and rollouts are compared; its other results
 * must be equal.
 */
export function check(workload, contenders) {
  const { burgee, devcycle, flagd, floor } = contenders
  const users = burgee.inputs.map((_, index) => index)
  const some = users.slice(0, workload.flags.length > 100 ? 200 : workload.flags.length > 1 ? 1000 : users.length)
  for (const index of users.slice(0, Math.ceil(SLOW_USERS / workload.flags.length))) {
    same(workload, 'Burgee and the reference engine', index, resultOf(burgee, index), resultOf(devcycle, index))
  }
  for (const index of some) {
    const [ours, floors] = [resultOf(burgee, index), resultOf(floor, index)]
    const isText = workload.ask === 'json'
    same(workload, 'the floor and Burgee', index, isText ? floors : values(floors), isText ? ours : values(ours))
  }
  compareShares(workload, some, burgee, flagd)
}

function resultOf({ inputs, ask, read }, index) {
  return read(ask(inputs[index]))
}

function values(results) {
  return Object.fromEntries(Object.entries(results).map(([key, { value }]) => [key, value]))
}

function same(workload, who, index, actual, expected) {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return
  throw new Error(
    `workload ${workload.name}: ${who} return different results for user ${index}:\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`
  )
}

/** Drops prototypes and frozenness, which are not compared. */
function plain(value) {
  return JSON.parse(JSON.stringify(value))
}

function compareShares(workload, users, burgee, flagd) {
  const counts = new Map()
  const asked =
    workload.ask === 'all' || workload.ask === 'json'
      ? workload.flags
      : workload.flags.filter(({ key }) => key === workload.ask)
  for (const index of users) {
    const ours = values(resultOf(burgee, index))
    const theirs = values(resultOf(flagd, index))
    for (const { key, rules } of asked) {
      const isRandom = rules.some(({ serve, admits }) => serve.length > 1 || admits)
      if (!isRandom) same(workload, `flagd and Burgee (${key})`, index, { value: theirs[key] }, { value: ours[key] })
      count(counts, key, ours[key], 1)
      count(counts, key, theirs[key], -1)
    }
  }
  // Five standard deviations of the difference of two counts, at their maximum (a share of one half).
  const tolerance = 5 * Math.sqrt(users.length / 2)
  for (const [name, difference] of counts) {
    if (Math.abs(difference) > tolerance) {
      throw new Error(`workload ${workload.name}: flagd serves ${name} to ${-difference} more of ${users.length} users`)
    }
  }
}

function count(counts, key, value, step) {
  const name = `${value} of ${key}`
  counts.set(name, (counts.get(name) ?? 0) + step)
}

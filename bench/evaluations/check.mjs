import { isDeepStrictEqual } from 'node:util'

/** The number of users for checks of the slow engines. */
const SLOW_USERS = 200

/**
 * Throws unless all contenders return the same results. Burgee must equal the reference engine, and the floor and the
 * SDK around the reference engine must equal Burgee. The other peers hash differently, so only the shares of their
 * splits and rollouts are compared; their other results must be equal.
 */
export async function check(workload, contenders) {
  const { burgee, devcycle, devcycleSdk, floor, ...others } = contenders
  const users = burgee.inputs.map((_, index) => index)
  const some = users.slice(0, workload.flags.length > 100 ? 100 : 1000)
  const ours = new Map()
  for (const index of some) ours.set(index, await resultOf(burgee, index))
  for (const index of users.slice(0, Math.ceil(SLOW_USERS / workload.flags.length))) {
    same(workload, 'Burgee and devcycle', index, ours.get(index), await resultOf(devcycle, index))
    same(workload, 'devcycleSdk and Burgee', index, values(await resultOf(devcycleSdk, index)), values(ours.get(index)))
  }
  const isText = workload.ask === 'json'
  for (const index of some) {
    const [theirs, expected] = [await resultOf(floor, index), ours.get(index)]
    same(
      workload,
      'the floor and Burgee',
      index,
      isText ? theirs : values(theirs),
      isText ? expected : values(expected)
    )
  }
  for (const [name, peer] of Object.entries(others)) await compareShares(workload, some, ours, name, peer)
}

async function resultOf({ inputs, ask, read }, index) {
  return read(await ask(inputs[index]))
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

async function compareShares(workload, users, ours, name, peer) {
  const counts = new Map()
  const asked =
    workload.ask === 'all' || workload.ask === 'json'
      ? workload.flags
      : workload.flags.filter(({ key }) => key === workload.ask)
  for (const index of users) {
    const expected = values(ours.get(index))
    const theirs = values(await resultOf(peer, index))
    for (const { key, rules } of asked) {
      const isRandom = rules.some(({ serve, admits }) => serve.length > 1 || admits)
      if (!isRandom) {
        same(workload, `${name} and Burgee (${key})`, index, { value: theirs[key] }, { value: expected[key] })
      }
      count(counts, key, expected[key], 1)
      count(counts, key, theirs[key], -1)
    }
  }
  // Five standard deviations of the difference of two counts, at their maximum (a share of one half).
  const tolerance = 5 * Math.sqrt(users.length / 2)
  for (const [served, difference] of counts) {
    if (Math.abs(difference) > tolerance) {
      throw new Error(
        `workload ${workload.name}: ${name} serves ${served} to ${-difference} more of ${users.length} users`
      )
    }
  }
}

function count(counts, key, value, step) {
  const name = `${value} of ${key}`
  counts.set(name, (counts.get(name) ?? 0) + step)
}

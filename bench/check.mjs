import { isDeepStrictEqual } from 'node:util'

/** How many users the slow engines are checked with. */
const FEW = 200

/**
 * Throws unless every contender gives the right answers. The reference engine says what is right: Burgee must give its very
 * answers, and the floor must give Burgee's. flagd hashes otherwise, so of its splits and rollouts only the shares are
 * compared; all its other answers must be the same too.
 */
export function check(workload, contenders) {
  const { burgee, devcycle, flagd, floor } = contenders
  const users = burgee.inputs.map((_, index) => index)
  const some = users.slice(0, workload.flags.length > 100 ? 200 : workload.flags.length > 1 ? 1000 : users.length)
  for (const index of users.slice(0, Math.ceil(FEW / workload.flags.length))) {
    same(workload, 'Burgee and the reference engine', index, answer(burgee, index), answer(devcycle, index))
  }
  for (const index of some) {
    const [ours, floors] = [answer(burgee, index), answer(floor, index)]
    const isText = workload.ask === 'json'
    same(workload, 'the floor and Burgee', index, isText ? floors : values(floors), isText ? ours : values(ours))
  }
  compareShares(workload, some, burgee, flagd)
}

function answer({ inputs, ask, read }, index) {
  return read(ask(inputs[index]))
}

function values(answers) {
  return Object.fromEntries(Object.entries(answers).map(([key, { value }]) => [key, value]))
}

function same(workload, who, index, actual, expected) {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return
  throw new Error(
    `workload ${workload.name}: ${who} disagree about user ${index}:\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`
  )
}

/** Without prototypes and frozenness, which do not count. */
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
    const ours = values(answer(burgee, index))
    const theirs = values(answer(flagd, index))
    for (const { key, rules } of asked) {
      const isRandom = rules.some(({ serve, admits }) => serve.length > 1 || admits)
      if (!isRandom) same(workload, `flagd and Burgee (${key})`, index, { value: theirs[key] }, { value: ours[key] })
      count(counts, key, ours[key], 1)
      count(counts, key, theirs[key], -1)
    }
  }
  // Five standard deviations of the difference of two counts, at their widest.
  const tolerance = 5 * Math.sqrt(users.length / 2)
  for (const [name, difference] of counts) {
    if (Math.abs(difference) > tolerance) {
      throw new Error(`workload ${workload.name}: flagd serves ${name} to ${-difference} users more of ${users.length}`)
    }
  }
}

function count(counts, key, value, step) {
  const name = `${value} of ${key}`
  counts.set(name, (counts.get(name) ?? 0) + step)
}

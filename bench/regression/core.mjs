import { compile, recompile } from '../../packages/core/dist/index.js'
import { variablesText } from '../../packages/core/dist/text.js'
import { toDocument } from '../evaluations/document.mjs'
import { makeUsers } from '../evaluations/users.mjs'
import { workloads } from '../evaluations/workloads.mjs'

/** Workloads of the comparison, each with the number of calls that are counted. */
const EVALUATIONS = { a: 200, b: 200, c: 200, f: 200, g: 200, d10: 100, d100: 20, j100: 20 }

/** Measures evaluations. */
export async function evaluations(count) {
  const users = makeUsers(200)
  const costs = {}
  for (const [name, calls] of Object.entries(EVALUATIONS)) {
    const { makeFlags, ask } = workloads[name]
    const evaluate = evaluationOf(compile(toDocument(makeFlags())), ask)
    costs[`core ${name}`] = await count((times) => {
      for (let call = 0; call < times; call++) evaluate(users[call % users.length])
    }, calls)
  }
  return costs
}

function evaluationOf(evaluator, ask) {
  if (ask === 'json') return (user) => variablesText(evaluator, user)
  if (ask === 'all') return (user) => evaluator.resolveAll(user)
  return (user) => evaluator.variable(user, ask)
}

/** Measures the compilation of a config of 1,000 flags, and the one after a change of a flag. */
export async function compilation(count) {
  const text = JSON.stringify(toDocument(workloads.d1000.makeFlags()))
  let config = JSON.parse(text)
  let evaluator = recompile(config, undefined)
  const change = () => {
    const [first, ...others] = config.features
    config = { ...config, features: [{ ...first }, ...others] }
    evaluator = recompile(config, evaluator)
  }
  return {
    'core compile 1,000 flags': await count(() => compile(JSON.parse(text)), 1),
    'core recompile 1 of 1,000 flags': await count(change, 1)
  }
}

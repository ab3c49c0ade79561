import { isDeepStrictEqual } from 'node:util'
import { assertBuilt } from '../evaluations/built.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { seeded } from '../lib/random.mjs'
import { randomConfig, randomOverrides, randomUser } from './randomConfig.mjs'

const HELP = `Evaluates random users against random configs with Burgee and the reference engine, and fails if the results differ.

  npm run agree                            20,000 cases
  npm run agree -- --cases 500 --seed 7    500 cases from another seed`

const USERS_PER_CONFIG = 8

const { values: options } = parseOptions({
  options: {
    seed: { type: 'number', default: 1, least: 0 },
    cases: { type: 'number', default: 20000 },
    help: { type: 'boolean' }
  }
})

if (options.help) console.log(HELP)
else {
  assertBuilt()
  // Imported now, because they need the build.
  const { compile } = await import('@burgee/core')
  const { generateBucketedConfig, withDates } = await import('../evaluations/peers/devcycle.mjs')
  agree(compile, (config, user, now, overrides) => {
    return atMoment(now, () => generateBucketedConfig({ config: withDates(config), user, overrides }))
  })
}

function agree(compile, reference) {
  const random = seeded(options.seed)
  const counts = { cases: 0, served: 0, thrown: 0 }
  while (counts.cases < options.cases) {
    const { config, now } = randomConfig(random)
    const problems = []
    const evaluator = compile(config, { onProblem: (problem) => problems.push(problem) })
    for (let index = 0; index < USERS_PER_CONFIG; index++) {
      const user = randomUser(random)
      const overrides = randomOverrides(random, config)
      problems.length = 0
      const ours = pick(evaluator.bucket(user, { now, overrides }))
      const theirs = attempt(() => pick(reference(config, user, now, overrides)))
      const failure =
        differenceOf(ours, theirs, problems, config) ?? inconsistency(evaluator, user, { now, overrides }, ours)
      if (failure)
        report(failure, { config, user, now: new Date(now).toISOString(), overrides, ours, theirs, problems })
      counts.cases++
      if (theirs.error) counts.thrown++
      else if (Object.keys(theirs.value.features).length > 0) counts.served++
    }
  }
  console.log(
    `seed ${options.seed}: ${counts.cases} cases agree; ${counts.served} served something, and in ${counts.thrown} the reference engine threw`
  )
}

/** Returns the compared members, converted to JSON and back, which drops undefined ones. */
function pick({ features, featureVariationMap, variables }) {
  return JSON.parse(JSON.stringify({ features, featureVariationMap, variables }))
}

function attempt(work) {
  try {
    return { value: work() }
  } catch (error) {
    return { error: String(error) }
  }
}

/**
 * Describes how the results differ. Where the reference engine throws, Burgee must leave out a feature and report a
 * problem.
 */
function differenceOf(ours, theirs, problems, config) {
  if (!theirs.error) return isDeepStrictEqual(ours, theirs.value) ? undefined : 'the results differ'
  if (problems.length === 0) return 'the reference engine threw, and Burgee reported no problem'
  const served = new Set(Object.keys(ours.features))
  return config.features.some(({ key }) => !served.has(key))
    ? undefined
    : 'a problem was reported, but no feature is left out'
}

/** Checks that the evaluation of one variable equals that of all variables. */
function inconsistency(evaluator, user, evaluateOptions, { variables }) {
  for (const key of evaluator.keys) {
    const variable = evaluator.variable(user, key, evaluateOptions)
    if (!isDeepStrictEqual(variable && JSON.parse(JSON.stringify(variable)), variables[key])) {
      return `the variable ${key} differs when it is evaluated alone`
    }
  }
  return undefined
}

function report(failure, details) {
  console.error(`seed ${options.seed}: ${failure}\n${JSON.stringify(details, undefined, 2)}`)
  process.exit(1)
}

/** Runs `work` with a fixed clock, which the reference engine reads, and without its output on the console. */
function atMoment(now, work) {
  const { Date: RealDate } = globalThis
  const { error } = console
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      super(...(parts.length > 0 ? parts : [now]))
    }
  }
  console.error = () => {}
  try {
    return work()
  } finally {
    globalThis.Date = RealDate
    console.error = error
  }
}

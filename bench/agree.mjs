import { isDeepStrictEqual, parseArgs } from 'node:util'
import { demandBuild } from './built.mjs'
import { seeded } from './random.mjs'
import { randomConfig, randomOverrides, randomUser } from './randomConfig.mjs'

const HELP = `Asks Burgee and the reference engine about random users of random configs, and demands equal answers.

  npm run agree                            20,000 cases
  npm run agree -- --cases 500 --seed 7    so many cases, from another seed`

const USERS_PER_CONFIG = 8

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '20000' },
    help: { type: 'boolean' }
  }
})

if (options.help) console.log(HELP)
else {
  demandBuild()
  // Imported now, because they need the build.
  const { compile } = await import('@burgee/core')
  const { generateBucketedConfig, withDates } = await import('./devcycle.mjs')
  agree(compile, (config, user, now, overrides) => {
    return atMoment(now, () => generateBucketedConfig({ config: withDates(config), user, overrides }))
  })
}

function agree(compile, reference) {
  const random = seeded(Number(options.seed))
  const tally = { cases: 0, served: 0, thrown: 0 }
  while (tally.cases < Number(options.cases)) {
    const { config, now } = randomConfig(random)
    const problems = []
    const evaluator = compile(config, { onProblem: (problem) => problems.push(problem) })
    for (let index = 0; index < USERS_PER_CONFIG; index++) {
      const user = randomUser(random)
      const overrides = randomOverrides(random, config)
      problems.length = 0
      const ours = pick(evaluator.bucket(user, { now, overrides }))
      const theirs = attempt(() => pick(reference(config, user, now, overrides)))
      const fault =
        disagreement(ours, theirs, problems, config) ?? inconsistency(evaluator, user, { now, overrides }, ours)
      if (fault) report(fault, { config, user, now: new Date(now).toISOString(), overrides, ours, theirs, problems })
      tally.cases++
      if (theirs.error) tally.thrown++
      else if (Object.keys(theirs.value.features).length > 0) tally.served++
    }
  }
  console.log(
    `seed ${options.seed}: ${tally.cases} cases agree; ${tally.served} served something, and in ${tally.thrown} the reference engine threw`
  )
}

/** What is compared; through JSON, because members that are undefined do not count. */
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

/** Where the reference engine gives up on a user altogether, Burgee leaves out a feature and says so. */
function disagreement(ours, theirs, problems, config) {
  if (!theirs.error) return isDeepStrictEqual(ours, theirs.value) ? undefined : 'the answers differ'
  if (problems.length === 0) return 'the reference engine threw, and Burgee reported no problem'
  const served = new Set(Object.keys(ours.features))
  return config.features.some(({ key }) => !served.has(key))
    ? undefined
    : 'a problem was reported, and nothing left out'
}

/** Asking for one variable must give what asking for all gives. */
function inconsistency(evaluator, user, evaluateOptions, { variables }) {
  for (const key of evaluator.keys) {
    const variable = evaluator.variable(user, key, evaluateOptions)
    if (!isDeepStrictEqual(variable && JSON.parse(JSON.stringify(variable)), variables[key])) {
      return `the variable ${key} on its own differs`
    }
  }
  return undefined
}

function report(fault, details) {
  console.error(`seed ${options.seed}: ${fault}\n${JSON.stringify(details, undefined, 2)}`)
  process.exit(1)
}

/** The reference engine takes no moment and asks the clock; here the clock stands still. It also complains to the console. */
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

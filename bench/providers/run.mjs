import '../lib/offline.mjs'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { contender, workloadOf } from '../evaluations/contenders.mjs'
import { measure } from '../evaluations/measure.mjs'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { median, ratio } from '../lib/median.mjs'

const HELP = `Compares evaluations by OpenFeature's client with different providers, and prints ratios to the provider that does
nothing. Build first: npm run build, at the root.

  npm run provider              about a minute
  npm run provider -- --quick   fewer and shorter rounds`

const { values: options } = parseOptions({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } })

/** The providers, by their files, seen from the contenders. */
const providers = ['noop', 'inMemory', 'burgee', 'flagd'].map((name) => `../providers/${name}`)

/** The largest time of ours, as a multiple of that of the provider that does nothing. */
const GOAL = 1.1

/** The users whose results are checked. */
const USERS = 200

const ROUNDS = options.quick ? { rounds: 5, slice: 40 } : { rounds: 11, slice: 100 }

if (options.help) console.log(HELP)
else await main()

async function main() {
  if (!existsSync(new URL('../../packages/openfeature-provider/dist/index.js', import.meta.url))) {
    console.error(
      'packages/openfeature-provider/dist is missing: run `npm install` and `npm run build` at the root first'
    )
    process.exit(1)
  }
  // For the files of flags.
  process.env.BENCH_DIRECTORY = temporaryDirectory()
  const rows = []
  for (const name of ['a', 'b', 'c', 'f']) {
    process.stderr.write(`${name}: checking results`)
    await check(workloadOf(name))
    process.stderr.write(', measuring\n')
    rows.push({ name, ...(await measure(name, providers, ROUNDS)) })
  }
  console.log('\nworkload  in-memory/no-op  ours/no-op    flagd/no-op  no-op')
  for (const { name, ...times } of rows) {
    const [noop, ...others] = providers.map((provider) => times[provider])
    const [inMemory, ours, flagd] = others.map((other) => ratio(other, noop))
    const goal = `${ours.toFixed(2)} ≤ ${GOAL} ${ours <= GOAL ? '✓' : '✗'}`
    const cells = [inMemory.toFixed(2).padEnd(15), goal.padEnd(12), flagd.toFixed(2).padEnd(11)]
    console.log(`${name.padEnd(8)}  ${cells.join('  ')}  ${(median(noop) / 1000).toFixed(1)} µs`)
  }
}

/** Throws unless both providers with rules return the results of their evaluators. */
async function check(workload) {
  for (const name of ['burgee', 'flagd']) {
    const evaluator = await contender(name, workload)
    const provider = await contender(`../providers/${name}`, workload)
    for (let index = 0; index < USERS; index++) {
      const [actual, expected] = await Promise.all([provider, evaluator].map((one) => resultOf(one, index, workload)))
      if (isDeepStrictEqual(actual, expected)) continue
      throw new Error(`workload ${workload.name}: the provider of ${name} returns ${actual}, not ${expected}`)
    }
    await provider.close()
  }
}

async function resultOf({ inputs, ask, read }, index, workload) {
  return read(await ask(inputs[index]))[workload.ask]?.value
}

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parseOptions, refuse } from '../lib/commandLine.mjs'
import { liftDesigns, limitDesigns, nullDesigns } from './designs.mjs'
import { simulate } from './simulate.mjs'

const HELP = `Measures the error rates, the coverage and the power of the server's comparison of two arms, and prints the tables of
docs/reference/statistics.md. Build first: npm run build, at the root.

  npm run statistics                     1,000 runs of each design, some minutes
  npm run statistics -- --runs 100       fewer runs
  npm run statistics -- --only Pareto    designs whose name contains a text
  npm run statistics -- --seed 7         other random numbers
  npm run statistics -- --threads 1      one thread instead of two`

const server = new URL('../../packages/server/', import.meta.url)
/** The comparison of the server, built by itself: the package does not export it. */
const built = new URL('dist/', import.meta.url)
const all = { null: nullDesigns, limit: limitDesigns, lift: liftDesigns }

async function main() {
  const { values } = parseOptions({
    options: {
      runs: { type: 'number', default: 1000 },
      seed: { type: 'number', default: 20261123, least: 0 },
      threads: { type: 'number', default: 2, most: 2 },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false }
    }
  })
  if (values.help) return console.log(HELP)
  const { runs, seed } = values
  const tasks = Object.entries(all).flatMap(([group, designs]) =>
    designs.flatMap(({ name }, index) =>
      name.includes(values.only) ? [{ group, index, runs, seed: seed + 1000 * index }] : []
    )
  )
  if (tasks.length === 0) refuse(`no design has a name that contains "${values.only}"`)
  console.log(`${runs} runs of each design, seed ${seed}, node ${process.version}`)
  buildComparison()
  const { powerOf } = await load('power.js')
  const results = await inWorkers(tasks, values.threads)
  // Two standard errors of a rate of 5%.
  const limit = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs)
  const failures = printNull(
    results.filter(({ group }) => group === 'null'),
    limit
  )
  printNull(
    results.filter(({ group }) => group === 'limit'),
    Number.POSITIVE_INFINITY
  )
  printLifts(
    results.filter(({ group }) => group === 'lift'),
    powerOf
  )
  console.log(`\n${failures.length} rates above ${percent(limit)}% (5% and two standard errors)`)
  for (const failure of failures) console.log(`  ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}

function buildComparison() {
  const entries = ['compareArms', 'power'].map((name) => `src/insights/results/inference/${name}.ts`)
  const options = ['--no-config', '--format', 'esm', '--target', 'node20', '--out-dir', fileURLToPath(built)]
  try {
    execFileSync('npx', ['tsup', ...entries, ...options], { cwd: server, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    throw new Error('the comparison cannot be built: run `npm install` at the root first', { cause: error })
  }
}

function load(file) {
  return import(new URL(file, built).href)
}

async function work() {
  const { compareArms } = await load('compareArms.js')
  for (const task of workerData) {
    const design = all[task.group][task.index]
    parentPort.postMessage({ ...task, counts: simulate(compareArms, design, task) })
  }
}

function inWorkers(tasks, threads) {
  const shares = Array.from({ length: threads }, (_, thread) => tasks.filter((_, index) => index % threads === thread))
  const order = new Map(tasks.map(({ group, index }, position) => [`${group} ${index}`, position]))
  return Promise.all(
    shares.map((share) => {
      return new Promise((resolve, reject) => {
        const found = []
        const worker = new Worker(new URL(import.meta.url), { workerData: share, argv: [] })
        worker.on('message', (message) => found.push({ ...message, design: all[message.group][message.index] }))
        worker.on('error', reject)
        worker.on('exit', () => resolve(found))
      })
    })
  ).then((found) =>
    found.flat().sort((a, b) => order.get(`${a.group} ${a.index}`) - order.get(`${b.group} ${b.index}`))
  )
}

/** Prints error rates and returns the rates above a limit. */
function printNull(results, limit) {
  if (results.length === 0) return []
  const failures = []
  row(
    'design',
    'split',
    'fixed',
    'fixed, 20 analyses',
    'sequential, 20',
    'always',
    'interval',
    'relative',
    'sequence',
    'silent'
  )
  row(...Array(10).fill('---'))
  for (const { design, counts } of results) {
    const { name, treatmentShare } = design
    const rates = {
      fixed: counts.fixed / counts.runs,
      'sequential, 20 analyses': counts.sequential20 / counts.runs,
      'sequential, all analyses': counts.sequentialAll / counts.runs,
      'interval misses': counts.misses / Math.max(1, counts.runs),
      'relative interval misses': counts.relativeMisses / Math.max(1, counts.runs),
      'sequence misses': counts.sequentialMisses / Math.max(1, counts.runs)
    }
    for (const [kind, rate] of Object.entries(rates)) {
      if (rate > limit) failures.push(`${name} ${split(treatmentShare)}: ${kind} ${percent(rate)}%`)
    }
    row(
      name,
      split(treatmentShare),
      percent(rates.fixed),
      percent(counts.fixedAnyOf20 / counts.runs),
      percent(rates['sequential, 20 analyses']),
      percent(rates['sequential, all analyses']),
      coverage(counts.misses, counts.intervals),
      coverage(counts.relativeMisses, counts.relativeIntervals),
      coverage(counts.sequentialMisses, counts.sequentialIntervals),
      silence(counts)
    )
  }
  console.log()
  return failures
}

function printLifts(results, powerOf) {
  if (results.length === 0) return
  row(
    'design',
    'split',
    'users',
    'theory',
    'fixed',
    'theory',
    'sequential, 20',
    'interval',
    'relative',
    'sequence',
    'silent'
  )
  row(...Array(11).fill('---'))
  for (const { design, counts } of results) {
    const { name, treatmentShare, users, truth, variances } = design
    const plan = { controlVariance: variances[0], treatmentVariance: variances[1], effect: truth, treatmentShare }
    row(
      name,
      split(treatmentShare),
      users.toLocaleString('en'),
      percent(powerOf(plan, users)),
      percent(counts.fixed / counts.runs),
      percent(powerOf({ ...plan, isSequential: true }, users)),
      percent(counts.sequential20 / counts.runs),
      coverage(counts.misses, counts.intervals),
      coverage(counts.relativeMisses, counts.relativeIntervals),
      coverage(counts.sequentialMisses, counts.sequentialIntervals),
      silence(counts)
    )
  }
}

function silence({ runs, silent, usersNeeded }) {
  if (silent === 0) return '0'
  const median = usersNeeded.sort((a, b) => a - b)[Math.floor(usersNeeded.length / 2)]
  return `${percent(silent / runs)} (${median?.toLocaleString('en') ?? '?'} users)`
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const percent = (rate) => (100 * rate).toFixed(1)
const split = (share) => `${100 - 100 * share}/${100 * share}`
const coverage = (misses, intervals) => (intervals === 0 ? '–' : percent(1 - misses / intervals))

if (isMainThread) await main()
else await work()

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { own } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { describe } from './describe.mjs'
import { countInstructions } from './instructions.mjs'

const HELP = `Compares deterministic costs with the budgets in bench/regression/budgets.json, and fails if one is exceeded. Build
first: npm run build.

  npm run bench:check                all costs, at most 40 seconds
  npm run bench:check -- --record    writes the present costs as the new budgets
  npm run bench:check -- --help      this text

Steps are entered blocks of JavaScript, counted by V8; instructions are those of the processor, counted by callgrind where
valgrind is installed. For a cost that exceeds its budget, the command prints what the cost covers. Bytes of evaluations
and instructions depend on the engine, so they are compared only with the major version of Node.js that the budgets were
recorded with.`

const { values: options } = parseOptions({ options: { record: { type: 'boolean' }, help: { type: 'boolean' } } })

const BUDGETS = new URL('budgets.json', import.meta.url)
const MEASURE = fileURLToPath(new URL('measure.mjs', import.meta.url))

async function main() {
  const costs = await measureAll()
  const engine = process.version.split('.')[0]
  if (options.record) {
    await writeFile(BUDGETS, `${JSON.stringify({ engine, costs }, undefined, 2)}\n`)
    console.log(`recorded ${Object.keys(costs).length} budgets`)
    return
  }
  const budgets = JSON.parse(await readFile(BUDGETS, 'utf8'))
  const rows = compare(costs, budgets, engine === budgets.engine)
  for (const { line } of rows) console.log(line)
  const exceeded = rows.filter(({ isExceeded }) => isExceeded)
  if (exceeded.length === 0) return
  console.error('\nWhat they cover:')
  for (const { name } of exceeded) console.error(`  ${name}: ${describe(name)}`)
  const hint = 'If that is intended, run `npm run bench:check -- --record`, and say in the commit what it is worth.'
  console.error(`\n${exceeded.length} of ${rows.length} costs exceed their budget. ${hint}`)
  process.exitCode = 1
}

/** What is measured: modules of this folder, their exports and units. */
const PARTS = [
  ['sizes', 'sizes', 'size'],
  ['core', 'evaluations', 'steps'],
  ['core', 'evaluations', 'bytes'],
  ['core', 'compilation', 'steps'],
  ['provider', 'evaluations', 'steps'],
  ['provider', 'evaluations', 'bytes'],
  ['provider', 'changes', 'steps'],
  ['server', 'requests', 'steps']
]

/** Parts take turns. Callgrind runs beside them: nothing here measures time. */
async function measureAll() {
  const counting = countInstructions()
  const costs = {}
  for (const part of PARTS) Object.assign(costs, await measure(part))
  Object.assign(costs, await counting)
  return Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, Math.round(cost * 10) / 10]))
}

async function measure(part) {
  const flags = ['--single-threaded', '--predictable', '--expose-gc', '--no-warnings']
  const running = promisify(execFile)(process.execPath, [...flags, MEASURE, ...part])
  own(running.child, 'SIGTERM')
  const { stdout } = await running
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

/** The share by which a cost may exceed its budget, by unit: sizes are exact, the rest varies a little. */
const TOLERANCE = { size: 0, steps: 0.02, bytes: 0.1, instructions: 0.1 }

/** The bytes that a call may allocate beyond the tolerance. */
const SLACK = 16

function compare(costs, { costs: budgets }, isSameEngine) {
  return [...new Set([...Object.keys(budgets), ...Object.keys(costs)])].map((name) => {
    const [cost, budget] = [costs[name], budgets[name]]
    const unit = name.split(', ').at(-1)
    const title = name.padEnd(52)
    if (budget === undefined) return { name, line: `✗ ${title} ${cost}, without a budget`, isExceeded: true }
    // Only instructions can be missing: without valgrind.
    const isComparable = cost !== undefined && (isSameEngine || unit === 'size' || unit === 'steps')
    if (!isComparable) return { name, line: `- ${title} not compared`, isExceeded: false }
    const isExceeded = cost > budget * (1 + TOLERANCE[unit]) + (unit === 'bytes' ? SLACK : 0)
    const change = `${cost < budget ? '' : '+'}${((cost / budget - 1) * 100).toFixed(1)} %`
    return { name, line: `${isExceeded ? '✗' : '✓'} ${title} ${cost} of ${budget}, ${change}`, isExceeded }
  })
}

if (options.help) console.log(HELP)
else await main()

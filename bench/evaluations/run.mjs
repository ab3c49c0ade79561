import '../lib/offline.mjs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseOptions } from '../lib/commandLine.mjs'
import { median, ratio } from '../lib/median.mjs'
import { assertBuilt } from './built.mjs'
import { check } from './check.mjs'
import { contender, engines, peers, workloadOf } from './contenders.mjs'
import { goals } from './goals.mjs'
import { measureImports } from './imports.mjs'
import { measure, measureGarbage } from './measure.mjs'
import { draw } from './picture.mjs'
import { printTable } from './table.mjs'

const HELP = `Compares the speed of Burgee's core with its peers, and prints ratios. Build first: npm run build, at the root.

  npm start                     all rows, about five minutes
  npm start -- --only a,c       only these rows
  npm start -- --quick          fewer and shorter rounds
  npm start -- --record         also writes the results to results.json, and the picture of docs/performance.md
  npm start -- --recorded       prints the table of results.json, and measures nothing
  npm start -- --help           this text`

const { values: options } = parseOptions({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    record: { type: 'boolean' },
    recorded: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})

const RESULTS = new URL('results.json', import.meta.url)
const PICTURE = new URL('../../docs/images/performance.svg', import.meta.url)

if (options.help) console.log(HELP)
else if (options.recorded) await printRecorded()
else await main()

async function main() {
  assertBuilt()
  const results = []
  for (const name of wanted(options.only)) {
    const result = name === 'import' ? await imports() : await evaluations(name)
    results.push(result)
    if (options.record) await record(result)
  }
  printTable(results)
}

async function printRecorded() {
  const { workloads } = JSON.parse(await readFile(RESULTS, 'utf8'))
  const names = Object.keys(goals).filter((name) => name in workloads)
  printTable(names.map((name) => ({ name, ...workloads[name] })))
}

async function evaluations(name) {
  process.stderr.write(`${name}: checking results`)
  const workload = workloadOf(name)
  if (workload.ask !== 'load') await checkAll(workload)
  process.stderr.write(', measuring\n')
  const times = await measure(name, engines, options.quick ? { rounds: 5, slice: 20 } : { rounds: 9, slice: 60 })
  const isOneFlag = !['all', 'json', 'load'].includes(workload.ask)
  return toResult(name, times, isOneFlag ? await measureGarbage(name, 'burgee') : undefined)
}

async function checkAll(workload) {
  const contenders = {}
  for (const engine of engines) contenders[engine] = await contender(engine, workload)
  await check(workload, contenders)
  for (const { close } of Object.values(contenders)) await close?.()
}

async function imports() {
  process.stderr.write('import: measuring\n')
  return toResult('import', await measureImports({ burgee: '@burgee/core', ...peers }, options.quick ? 5 : 25))
}

/** Writes a result over that of an earlier run. Rows that were not measured keep theirs. */
async function record({ name, ...result }) {
  const { workloads } = JSON.parse(await readFile(RESULTS, 'utf8'))
  workloads[name] = result
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`
  const all = { date: new Date().toISOString().slice(0, 10), machine, workloads }
  await writeFile(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`)
  await writeFile(PICTURE, draw(all))
}

function wanted(only) {
  const names = only ? only.split(',') : Object.keys(goals)
  const unknown = names.find((name) => !(name in goals))
  if (unknown === undefined) return names
  console.error(`"${unknown}" is not a workload; use one of ${Object.keys(goals).join(', ')}`)
  process.exit(1)
}

/** Returns the figures of a row: the ratios of the medians of the rounds, of each peer to ours. */
function toResult(name, { burgee, floor, ...others }, garbage) {
  const ratios = Object.fromEntries(Object.entries(others).map(([peer, times]) => [peer, ratio(times, burgee)]))
  const [[bestPeer, best]] = Object.entries(ratios).sort(([, a], [, b]) => a - b)
  return {
    name,
    floor: floor && ratio(burgee, floor),
    peer: best,
    bestPeer,
    peers: ratios,
    garbage,
    nanoseconds: median(burgee)
  }
}

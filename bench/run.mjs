import { parseArgs } from 'node:util'
import { assertBuilt } from './built.mjs'
import { check } from './check.mjs'
import { contender, engines, workloadOf } from './contenders.mjs'
import { garbageGoal, goals } from './goals.mjs'
import { measure, measureGarbage, median, ratio } from './measure.mjs'

const HELP = `Compares the speed of Burgee's core with its peers, and prints ratios. Build first: npm run build, at the root.

  npm start                     all workloads, about two minutes
  npm start -- --only a,c       only these workloads
  npm start -- --quick          fewer and shorter rounds
  npm start -- --help           this text`

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' } }
})

if (options.help) console.log(HELP)
else await main()

async function main() {
  assertBuilt()
  const rounds = options.quick ? { rounds: 5, slice: 40 } : { rounds: 11, slice: 120 }
  const rows = []
  for (const name of wanted(options.only)) {
    process.stderr.write(`${name}: checking results`)
    const workload = workloadOf(name)
    const contenders = Object.fromEntries(
      await Promise.all(engines.map(async (engine) => [engine, await contender(engine, workload)]))
    )
    check(workload, contenders)
    process.stderr.write(', measuring\n')
    const isOneFlag = workload.ask !== 'all' && workload.ask !== 'json'
    rows.push(
      toRow(
        workload,
        await measure(name, engines, rounds),
        isOneFlag ? await measureGarbage(name, 'burgee') : undefined
      )
    )
  }
  print(rows)
}

function wanted(only) {
  const names = only ? only.split(',') : Object.keys(goals)
  const unknown = names.find((name) => !(name in goals))
  if (unknown === undefined) return names
  console.error(`"${unknown}" is not a workload; use one of ${Object.keys(goals).join(', ')}`)
  process.exit(1)
}

function toRow({ name, title }, { burgee, floor, flagd, devcycle }, garbage) {
  const toFloor = ratio(burgee, floor)
  const [peer, toPeer] = [
    ['flagd', ratio(flagd, burgee)],
    ['devcycle', ratio(devcycle, burgee)]
  ].sort(([, a], [, b]) => a - b)[0]
  return {
    workload: name,
    'ours/floor': cell(toFloor, '≤', goals[name].floor),
    'best peer/ours': cell(toPeer, '≥', goals[name].peer),
    'best peer': peer,
    'devcycle/ours': number(ratio(devcycle, burgee)),
    'garbage, bytes': garbage === undefined ? '' : cell(garbage, '≤', garbageGoal),
    'ours, ns': number(median(burgee)),
    description: title
  }
}

function cell(value, relation, goal) {
  const isMet = relation === '≤' ? value <= goal : value >= goal
  return `${number(value).padStart(5)} ${relation} ${String(goal).padEnd(3)} ${isMet ? '✓' : '✗'}`
}

function number(value) {
  return value < 10 ? value.toFixed(1) : value.toFixed(0)
}

function print(rows) {
  const columns = Object.keys(rows[0])
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => row[column].length)))
  const line = (cells) =>
    cells
      .map((text, index) => text.padEnd(widths[index]))
      .join('  ')
      .trimEnd()
  console.log(`\n${line(columns)}\n${line(widths.map((width) => '─'.repeat(width)))}`)
  for (const row of rows) console.log(line(columns.map((column) => row[column])))
}

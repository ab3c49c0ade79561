import { garbageGoal, goals } from './goals.mjs'

/** Prints rows of results, each with its `name`. */
export function printTable(results) {
  print(results.map(toRow))
}

function toRow({ name, floor, peer, bestPeer, peers: ratios, garbage, nanoseconds }) {
  const goal = goals[name]
  return {
    workload: name,
    'ours/floor': cell(floor, '≤', goal.floor),
    'best peer/ours': cell(peer, '≥', goal.peer),
    'best peer': bestPeer,
    ...Object.fromEntries(Object.entries(ratios).map(([engine, value]) => [engine, number(value)])),
    'garbage, bytes': cell(garbage, '≤', garbageGoal),
    ours: duration(nanoseconds, goal.nanoseconds)
  }
}

/** Returns a figure with its goal, if it has one. */
function cell(value, relation, goal) {
  if (value === undefined) return ''
  if (goal === undefined) return number(value).padStart(5)
  const isMet = relation === '≤' ? value <= goal : value >= goal
  return `${number(value).padStart(5)} ${relation} ${String(goal).padEnd(3)} ${isMet ? '✓' : '✗'}`
}

function duration(nanoseconds, goal) {
  const [unit, size] = [
    ['ms', 1e6],
    ['µs', 1e3],
    ['ns', 1]
  ].find(([, one]) => nanoseconds >= one) ?? ['ns', 1]
  const text = `${number(nanoseconds / size)} ${unit}`
  return goal === undefined ? text : `${text} ≤ ${goal / 1e6} ${nanoseconds <= goal ? '✓' : '✗'}`
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

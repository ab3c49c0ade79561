import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './measure.mjs'
import { caller, isBuilt, start } from './server.mjs'

const HELP = `Measures requests of the management API beside more and more other features, on a file store.
Build first: npm run build, at the root.

  npm run management                            beside 10, 100 and 1,000 other features, about a minute
  npm run management -- --features 10,5000      beside so many
  npm run management -- --rounds 100            more rounds than 30`

const { values: given } = parseArgs({
  options: {
    features: { type: 'string', default: '10,100,1000' },
    rounds: { type: 'string', default: '30' },
    help: { type: 'boolean' }
  }
})

/** Rounds before the first that counts. */
const WARM_UP = 10

/** What is measured, in this order in every round: method, path in the project, body. */
const questions = {
  'list page (100)': () => ['GET', 'v2', 'features?perPage=100'],
  'get one': () => ['GET', 'v2', 'features/subject'],
  'PATCH name': (round) => ['PATCH', 'v2', 'features/subject', { name: `Subject ${round}` }],
  'PATCH targets': (round) => [
    'PATCH',
    'v1',
    'features/subject/configurations?environment=production',
    { targets: targets(round) }
  ],
  // As long as a feature, and no config is built from it: what a write costs here whatever it is about.
  'PATCH a metric': (round) => ['PATCH', 'v1', 'metrics/subject', { description: `${round}`.padStart(1000, '.') }]
}

if (given.help) console.log(HELP)
else await main(given.features.split(',').map(Number), Number(given.rounds))

async function main(sizes, rounds) {
  if (!isBuilt()) {
    console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
    process.exit(1)
  }
  const results = []
  for (const others of sizes) {
    process.stderr.write(`beside ${others} features: making them`)
    results.push({ others, times: await beside(others, rounds) })
    process.stderr.write(', measured\n')
  }
  print(results)
}

/** Times each question on a server of its own; answers milliseconds by question. */
async function beside(others, rounds) {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-bench-'))
  const server = await start(directory)
  try {
    const ask = await caller(server.url)
    await fill(ask, others)
    const times = Object.fromEntries(Object.keys(questions).map((question) => [question, []]))
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const [question, request] of Object.entries(questions)) {
        const begin = performance.now()
        await ask(...request(round))
        if (round >= 0) times[question].push(performance.now() - begin)
      }
    }
    return times
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

/** A project with one feature to ask about, a metric, and other features like that one. */
async function fill(ask, others) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const metric = { event: 'purchase', dimension: 'COUNT_PER_UNIQUE_USER', optimize: 'increase' }
  await ask('POST', 'v1', 'metrics', { key: 'subject', name: 'Subject', ...metric })
  await ask('POST', 'v2', 'features', feature('subject'))
  const features = Array.from({ length: others }, (_, index) => feature(`other-${index}`))
  while (features.length > 0) await ask('POST', 'v1', 'features/multiple', features.splice(0, 100))
}

function feature(key) {
  const configuration = { status: 'active', targets: targets(0) }
  return { key, name: key, configurations: { development: configuration, production: configuration } }
}

function targets(round) {
  const values = [`ada-${round}`, 'bob']
  return [
    {
      audience: {
        filters: { operator: 'and', filters: [{ type: 'user', subType: 'user_id', comparator: '=', values }] }
      },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    },
    {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [
        { _variation: 'variation-on', percentage: 0.5 },
        { _variation: 'variation-off', percentage: 0.5 }
      ]
    }
  ]
}

function print(results) {
  const heads = results.map(({ others }) => `${others} others: median`)
  console.log(`\nms${' '.repeat(16)}${heads.map((head) => `${head.padStart(22)}     p95`).join('')}`)
  for (const question of Object.keys(questions)) {
    const cells = results.map(({ times }) => cell(median(times[question])).padStart(22) + p95(times[question]))
    console.log(question.padEnd(18) + cells.join(''))
  }
}

function p95(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return cell(sorted[Math.floor(sorted.length * 0.95)]).padStart(8)
}

function cell(milliseconds) {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : 1)
}

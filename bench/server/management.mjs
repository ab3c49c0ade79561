import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { splitTargets } from '../lib/splitTargets.mjs'

const HELP = `Measures requests of the management API in projects with an increasing number of features, on a file store.
Build first: npm run build, at the root.

  npm run management                            with 10, 100 and 1,000 other features, about a minute
  npm run management -- --features 10,5000      with these numbers of other features
  npm run management -- --rounds 100            100 rounds instead of 30`

const { values: options } = parseOptions({
  options: {
    features: { type: 'numbers', default: '10,100,1000' },
    rounds: { type: 'number', default: 30 },
    help: { type: 'boolean' }
  }
})

/** Rounds that are not measured, at the start. */
const WARM_UP = 10

/** The measured requests, in this order in every round: method, version, path in the project, body. */
const requests = {
  'list page (100)': () => ['GET', 'v2', 'features?perPage=100'],
  'get one': () => ['GET', 'v2', 'features/subject'],
  'PATCH name': (round) => ['PATCH', 'v2', 'features/subject', { name: `Subject ${round}` }],
  'PATCH targets': (round) => [
    'PATCH',
    'v1',
    'features/subject/configurations?environment=production',
    { targets: targets(round) }
  ],
  // Writes as many bytes as a feature, and affects no config: the cost of the write itself.
  'PATCH a metric': (round) => ['PATCH', 'v1', 'metrics/subject', { description: `${round}`.padStart(1000, '.') }]
}

if (options.help) console.log(HELP)
else await main(options.features, options.rounds)

async function main(sizes, rounds) {
  assertBuilt()
  const results = []
  for (const others of sizes) {
    process.stderr.write(`${others} other features: creating them`)
    results.push({ others, times: await measureWith(others, rounds) })
    process.stderr.write(', measured\n')
  }
  print(results)
}

/** Times each request on a separate server. Returns milliseconds by request. */
async function measureWith(others, rounds) {
  const directory = temporaryDirectory()
  const server = await start(directory)
  try {
    const ask = await caller(server.url)
    await fill(ask, others)
    const times = Object.fromEntries(Object.keys(requests).map((title) => [title, []]))
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const [title, request] of Object.entries(requests)) {
        const begin = performance.now()
        await ask(...request(round))
        if (round >= 0) times[title].push(performance.now() - begin)
      }
    }
    return times
  } finally {
    await server.stop()
  }
}

/** Creates a project with the measured feature and metric, and other features like that one. */
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
  return splitTargets([{ type: 'user', subType: 'user_id', comparator: '=', values: [`ada-${round}`, 'bob'] }])
}

function print(results) {
  const heads = results.map(({ others }) => `${others} others: median`)
  console.log(`\nms${' '.repeat(16)}${heads.map((head) => `${head.padStart(22)}     p95`).join('')}`)
  for (const title of Object.keys(requests)) {
    const cells = results.map(({ times }) => cell(median(times[title])).padStart(22) + p95(times[title]))
    console.log(title.padEnd(18) + cells.join(''))
  }
}

function p95(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return cell(sorted[Math.floor(sorted.length * 0.95)]).padStart(8)
}

function cell(milliseconds) {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : 1)
}

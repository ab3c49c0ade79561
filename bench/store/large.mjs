import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { choose, parseOptions } from '../lib/commandLine.mjs'
import { cpuOf, memoryOf } from '../lib/cpu.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'
import { splitTargets } from '../lib/splitTargets.mjs'

const HELP = `Measures a server with a large project in 4 environments: its start, its memory, changes, and evaluations while it
is changed. Build first: npm run build, at the root.

  npm run large                          10,000 features, with both kinds of stores; ten minutes
  npm run large -- --features 1000       another number of features
  npm run large -- --store postgres      with one kind of store: file or postgres`

const { values: options } = parseOptions({
  options: {
    features: { type: 'number', default: 10000 },
    store: { type: 'string' },
    help: { type: 'boolean' }
  }
})

/** The goals: milliseconds until the server listens, resident megabytes, milliseconds of the median of a change. */
const GOALS = { start: 2_000, memory: 700, write: 50 }

const WRITES = 100
const ADDITIONS = 40

// Before anything is started.
const stores = choose([{ name: 'file' }, { name: 'postgres' }], options.store).map(({ name }) => name)

if (options.help) console.log(HELP)
else await main(options.features, stores)

async function main(features, stores) {
  assertBuilt()
  console.log(`${features} features in 4 environments`)
  for (const store of stores) {
    const place = store === 'file' ? await createDirectory() : await startPostgres()
    try {
      print(store, await measure(place.url, features))
    } finally {
      await place.stop()
    }
  }
  // The embedded server keeps handles open.
  process.exit(0)
}

async function createDirectory() {
  const url = temporaryDirectory()
  return { url, stop: () => {} }
}

async function measure(location, features) {
  const flags = ['--management-rate-limit', '0']
  const first = await start(location, { flags })
  await fill(await caller(first.url), features)
  await first.stop()
  const begin = performance.now()
  const server = await start(location, { flags })
  const startMs = performance.now() - begin
  const startCpuMs = cpuOf(server.pid) * 1000
  try {
    const ask = await caller(server.url)
    const memory = memoryOf(server.pid) / 2 ** 20
    const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
    const evaluate = evaluator(server.url, sdkKeys.server[0].key)
    const idle = await collect(WRITES, evaluate)
    const changes = await collectWith(evaluate, WRITES, (round) =>
      ask('PATCH', 'v1', `features/feature-${round}/configurations?environment=production`, {
        status: round % 2 === 0 ? 'inactive' : 'active'
      })
    )
    const afterChanges = memoryOf(server.pid) / 2 ** 20
    const keys = (await ask('GET', 'v1', 'environments')).map(({ key }) => key)
    let next = features
    const additions = await collectWith(evaluate, ADDITIONS, () =>
      ask('POST', 'v1', 'features', describeFeature(`feature-${next++}`, keys))
    )
    const afterAdditions = memoryOf(server.pid) / 2 ** 20
    return { startMs, startCpuMs, memory, afterChanges, afterAdditions, idle, changes, additions }
  } finally {
    await server.stop()
  }
}

async function fill(ask, features) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const environments = await ask('GET', 'v1', 'environments')
  for (let number = environments.length; number < 4; number++) {
    await ask('POST', 'v1', 'environments', { key: `more-${number}`, name: `More ${number}`, type: 'staging' })
  }
  const keys = (await ask('GET', 'v1', 'environments')).map(({ key }) => key)
  const all = Array.from({ length: features }, (_, index) => describeFeature(`feature-${index}`, keys))
  while (all.length > 0) await ask('POST', 'v1', 'features/multiple', all.splice(0, 100))
}

function describeFeature(key, environments) {
  const values = ['ada', 'bob']
  const filters = [{ type: 'user', subType: 'user_id', comparator: '=', values }]
  const targets = splitTargets(filters)
  const configurations = environments.map((environment) => [environment, { status: 'active', targets }])
  return { key, name: key, type: 'release', configurations: Object.fromEntries(configurations) }
}

function evaluator(url, key) {
  const headers = { authorization: key, 'content-type': 'application/json' }
  return async (round = 0) => {
    const body = JSON.stringify({ user_id: `user-${round}` })
    const response = await fetch(`${url}/v1/variables/feature-1`, { method: 'POST', headers, body })
    if (!response.ok && response.status !== 404) throw new Error(`an evaluation returned ${response.status}`)
    await response.arrayBuffer()
  }
}

/** Returns the milliseconds of each of several calls, after ten that do not count. */
async function collect(count, work) {
  const times = []
  for (let round = -10; round < count; round++) {
    const time = await timed(() => work(Math.abs(round)))
    if (round >= 0) times.push(time)
  }
  return times
}

/** Collects the times of work, and those of evaluations one after the other in the meantime. */
async function collectWith(evaluate, count, work) {
  let isWorking = true
  const evaluations = []
  const evaluating = (async () => {
    while (isWorking) evaluations.push(await timed(evaluate))
  })()
  const times = await collect(count, work)
  isWorking = false
  await evaluating
  return { times, evaluations }
}

async function timed(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function print(store, { startMs, startCpuMs, memory, afterChanges, afterAdditions, idle, changes, additions }) {
  const mark = (value, goal) => (value <= goal ? '✓' : '✗')
  const marked = (megabytes) => `${megabytes.toFixed(0)} MB ${mark(megabytes, GOALS.memory)}`
  console.log(`
${store}
  start                           ${startMs.toFixed(0)} ms ${mark(startMs, GOALS.start)}, ${startCpuMs.toFixed(0)} ms of processor time
  resident memory                 ${memory.toFixed(0)} MB, after changes ${marked(afterChanges)}, after new features ${marked(afterAdditions)}
  change of a feature             ${describe(changes.times)} ${mark(at(changes.times, 0.5), GOALS.write)}
  new feature                     ${describe(additions.times)}
  evaluation                      ${describe(idle)}
  evaluation during changes       ${describe(changes.evaluations)}
  evaluation during new features  ${describe(additions.evaluations)}`)
}

function describe(times) {
  return `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`
}

function at(times, share) {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { memoryOf } from '../lib/cpu.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, signIn, start } from '../lib/server.mjs'
import { bundleStore } from './bundleStore.mjs'

const HELP = `Measures a long audit log of the file store: memory, the time of a start, and lists.
Build first: npm run build, at the root.

  npm run audit                        50,000 entries
  npm run audit -- --entries 200000    200,000 entries
  npm run audit -- --rounds 50         50 rounds of lists instead of 200`

const { values: options } = parseOptions({
  options: {
    entries: { type: 'number', default: 50000 },
    rounds: { type: 'number', default: 200 },
    help: { type: 'boolean' }
  }
})

const FEATURES = 50
/** Entries that are written at once. */
const BATCH = 2_000
/** Requests that read every entry take long. */
const SCAN_ROUNDS = 10

/** The measured requests. The last ones read the content of all entries. */
const requests = {
  'newest 100': () => 'perPage=100',
  'page 100 of 100': () => 'perPage=100&page=100',
  'of a project, by date': (from) => `project=shop&perPage=100&startDate=${from}`,
  'of a feature': (_, round) => `project=shop&feature=feature-${round % FEATURES}&perPage=100`,
  'of an environment': () => 'project=shop&environment=production&perPage=100',
  'by type, few match': () => 'type=createdFeature&perPage=100',
  'by type, all match': () => 'type=addedTarget&perPage=100',
  'by text': () => 'search=ada-7&perPage=100'
}

if (options.help) console.log(HELP)
else await main(options.entries, options.rounds)

async function main(count, rounds) {
  assertBuilt()
  const folder = temporaryDirectory()
  const [few, many] = [join(folder, 'few'), join(folder, 'many')]
  process.stderr.write(`writing ${count} entries`)
  const { openStore } = await bundleStore(folder)
  await createProject(few)
  await cp(few, many, { recursive: true })
  const from = await addEntries(() => openStore(`file:${many}`), many, count)
  process.stderr.write(', measuring\n')
  const [empty, full] = [few, many].map((directory) => openInProcess(join(folder, 'store.mjs'), directory))
  console.log(`an entry in the file:  ${Math.round(readFileSync(join(many, 'history.jsonl')).length / count)} bytes`)
  console.log(`an entry in memory:    ${Math.round((full.heap - empty.heap) / count)} bytes`)
  console.log(
    `opening the store:     ${empty.opened.toFixed(0)} ms without entries, ${full.opened.toFixed(0)} ms with them`
  )
  await measureServer(few, many, { from, rounds })
}

/** Creates a project whose features were changed once each. */
async function createProject(directory) {
  const server = await start(directory)
  const ask = await caller(server.url)
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  for (let number = 0; number < FEATURES; number++) {
    const key = `feature-${number}`
    await ask('POST', 'v2', 'features', { key, name: key })
    await ask('PATCH', 'v1', `features/${key}/configurations?environment=production`, configuration(number))
  }
  await server.stop()
}

function configuration(number) {
  const values = Array.from({ length: 5 }, (_, at) => `ada-${number}-${at}`)
  const filter = { type: 'user', subType: 'user_id', comparator: '=', values }
  return {
    status: 'active',
    targets: [
      {
        audience: { filters: { operator: 'and', filters: [filter] } },
        distribution: [{ _variation: 'variation-on', percentage: 1 }]
      }
    ]
  }
}

/** Adds copies of the entries of configurations, a line each. Returns the date of the last hundred of them. */
async function addEntries(opens, directory, count) {
  const lines = (await readFile(join(directory, 'history.jsonl'), 'utf8')).trim().split('\n')
  const entries = lines.flatMap((line) => JSON.parse(line).map(({ item }) => item))
  const templates = entries.filter(({ changes }) => changes.some(({ type }) => type === 'addedTarget'))
  const store = await opens()
  const begin = Date.now()
  for (let first = 0; first < count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => first + at)
    await Promise.all(
      numbers.map((number) => {
        const template = templates[number % templates.length]
        const createdAt = new Date(begin + number).toISOString()
        const place = { position: entries.length + number + 1, sequence: template.sequence + number + 1 }
        const entry = { ...template, ...place, _id: randomBytes(12).toString('hex'), createdAt, updatedAt: createdAt }
        return store.collection('auditEntries').insert(entry)
      })
    )
  }
  await store.close()
  return new Date(begin + count - 100).toISOString()
}

/** Opens a store in a process of its own, and returns the memory that it takes and the median of three openings. */
function openInProcess(program, directory) {
  const script = `
    const { openStore } = await import(${JSON.stringify(pathToFileURL(program).href)})
    const times = []
    let store
    for (let round = 0; round < 3; round++) {
      await store?.close()
      const begin = performance.now()
      store = await openStore(${JSON.stringify(`file:${directory}`)})
      times.push(performance.now() - begin)
    }
    gc()
    await new Promise((resolve) => setTimeout(resolve, 100))
    gc()
    console.log(JSON.stringify({ times, heap: process.memoryUsage().heapUsed }))
    await store.close()`
  const flags = ['--expose-gc', '--max-old-space-size=4096', '--input-type=module', '--eval', script]
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
  if (stdout === '') throw new Error(`the store could not be opened: ${stderr}`)
  const { times, heap } = JSON.parse(stdout)
  return { heap, opened: median(times) }
}

async function measureServer(few, many, { from, rounds }) {
  const { server: other, elapsed: before } = await startTimed(few)
  await other.stop()
  const { server, elapsed } = await startTimed(many)
  console.log(`starting the server:   ${before.toFixed(0)} ms without entries, ${elapsed.toFixed(0)} ms with them`)
  console.log(`memory of the server:  ${residentMegabytes(server.pid)} MB after the start`)
  const request = await signIn(server.url)
  console.log('\nms                            p50      p99')
  for (const [title, query] of Object.entries(requests)) {
    const times = []
    const isScan = title.startsWith('by ')
    for (let round = isScan ? -2 : -10; round < (isScan ? Math.min(rounds, SCAN_ROUNDS) : rounds); round++) {
      const begin = performance.now()
      await request('GET', `/v1/organizations/current/audit?${query(from, round + 10)}`)
      if (round >= 0) times.push(performance.now() - begin)
    }
    console.log(title.padEnd(24) + cell(median(times)) + cell(percentile(times, 0.99)))
  }
  console.log(`\nmemory of the server:  ${residentMegabytes(server.pid)} MB after the lists`)
  await server.stop()
}

async function startTimed(directory) {
  const begin = performance.now()
  const server = await start(directory)
  return { server, elapsed: performance.now() - begin }
}

function residentMegabytes(pid) {
  return Math.round(memoryOf(pid) / 2 ** 20)
}

function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function cell(milliseconds) {
  return milliseconds.toFixed(1).padStart(9)
}

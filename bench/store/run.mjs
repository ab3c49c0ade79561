import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions, refuse } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { bundleStore } from './bundleStore.mjs'

const HELP = `Measures one acknowledged write of the file store, compared with an append and fsync of the same bytes, and with
lowdb, which writes the whole document and does not fsync.

  npm run store                           with 0.1, 1 and 10 MB of data
  npm run store -- --megabytes 10,24      with these sizes
  npm run store -- --rounds 1000          1,000 rounds instead of 300
  npm run store -- --directory /mnt/disk  on another disk than that of temporary files`

const { values: options } = parseOptions({
  options: {
    megabytes: { type: 'numbers', default: '0.1,1,10' },
    rounds: { type: 'number', default: 300 },
    directory: { type: 'string', default: tmpdir() },
    help: { type: 'boolean' }
  }
})

const at = '2026-11-20T10:00:00.000Z'
const common = { _project: 'p', createdAt: at, updatedAt: at }

/** The rounds of lowdb, each of which takes long with much data. */
const LOWDB_ROUNDS = 30

/** The number of writes so far. */
let writes = 0

if (options.help) console.log(HELP)
else await main()

async function main() {
  if (!statSync(options.directory, { throwIfNoEntry: false })?.isDirectory()) {
    refuse(`--directory must be a directory: "${options.directory}" is not`)
  }
  const folder = temporaryDirectory(options.directory)
  const { openStore, compactionProgram } = await bundleStore(folder)
  console.log('  MB   append   write  ratio   loop held   8 writers   loop held   compacted     lowdb   loop held')
  for (const megabytes of options.megabytes) {
    const directory = join(folder, `${megabytes}`)
    const store = await filled(() => openStore(`file:${directory}`, { compactionProgram }), megabytes)
    const single = await measure(store, directory, options.rounds)
    const many = await saturate(store, directory)
    await store.close()
    const lowdb = await measureLowdb(join(folder, `${megabytes}.json`), megabytes)
    print(megabytes, single, many, lowdb)
  }
}

/** Returns a variable of about 1 kB. */
function variableOf(number) {
  const key = `variable-${number}`
  const members = { name: key, source: 'api', type: 'Boolean', status: 'active', tags: [] }
  return { ...common, ...members, _id: key, key, description: 'x'.repeat(750) }
}

/** Opens a store with variables. */
async function filled(opens, megabytes) {
  const store = await opens()
  await store.transaction(async (inside) => {
    for (let number = 0; number < megabytes * 1_000; number++) {
      await inside.collection('variables').insert(variableOf(number))
    }
  })
  await store.close()
  return opens()
}

/** Returns an audit entry. */
function entryOf(number) {
  const members = { _organization: 'o', _environments: [], idp_user: 'ada', changes: [{ type: 'modified' }] }
  return { ...common, ...members, _id: `entry-${number}` }
}

/** Changes a variable, with an audit entry. */
async function write(store) {
  const number = writes++
  await store.transaction(async (inside) => {
    await inside.collection('variables').update(`variable-${number % 100}`, { name: `Name ${number}` })
    await inside.collection('auditEntries').insert(entryOf(number))
  })
}

/** Times writes and appends in turns, in milliseconds. */
async function measure(store, directory, rounds) {
  const file = await open(join(directory, '..', 'appended'), 'a')
  // About as long as the line of a commit.
  const line = `${'x'.repeat(1_500)}\n`
  const times = { append: [], write: [] }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  for (let round = -50; round < rounds; round++) {
    if (round === 0) delay.enable()
    const begin = performance.now()
    await file.appendFile(line)
    await file.sync()
    const middle = performance.now()
    await write(store)
    if (round < 0) continue
    times.append.push(middle - begin)
    times.write.push(performance.now() - middle)
  }
  delay.disable()
  await file.close()
  return { append: median(times.append), write: median(times.write), held: delay.max / 1e6 }
}

/** Times the same write with lowdb as its documentation shows it: a document in a file, written after each change. */
async function measureLowdb(path, megabytes) {
  const variables = Object.fromEntries(
    Array.from({ length: megabytes * 1_000 }, (_, number) => [`variable-${number}`, variableOf(number)])
  )
  const { JSONFilePreset } = await import('lowdb/node')
  const db = await JSONFilePreset(path, { variables, auditEntries: [] })
  const times = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  for (let round = -5; round < LOWDB_ROUNDS; round++) {
    if (round === 0) delay.enable()
    const begin = performance.now()
    await db.update((data) => {
      const key = `variable-${writes % 100}`
      data.variables[key] = { ...data.variables[key], name: `Name ${writes}` }
      data.auditEntries.push(entryOf(writes++))
    })
    if (round >= 0) times.push(performance.now() - begin)
  }
  delay.disable()
  return { write: median(times), held: delay.max / 1e6 }
}

/** Writes with eight writers until the document was replaced, for 20 seconds at most. */
async function saturate(store, directory) {
  const { revision } = await readHead(directory)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [begin, before] = [performance.now(), writes]
  let isCompacted = false
  const writer = async () => {
    while (!isCompacted && performance.now() - begin < 20_000) await write(store)
  }
  const watch = async () => {
    while (!isCompacted && performance.now() - begin < 20_000) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      isCompacted = (await readHead(directory)).revision !== revision
    }
  }
  await Promise.all([watch(), ...Array.from({ length: 8 }, writer)])
  delay.disable()
  const rate = (writes - before) / ((performance.now() - begin) / 1_000)
  return { rate, held: delay.max / 1e6, isCompacted }
}

/** Reads the number of the last commit in the document. */
async function readHead(directory) {
  const file = await open(join(directory, 'db.json'))
  try {
    const { buffer } = await file.read(Buffer.alloc(200), 0, 200, 0)
    return { revision: /"revision":(\d+)/.exec(String(buffer))?.[1] }
  } finally {
    await file.close()
  }
}

function print(megabytes, { append, write, held }, many, lowdb) {
  const ratio = write / append
  console.log(
    [
      String(megabytes).padStart(4),
      `${append.toFixed(2)} ms`.padStart(9),
      `${write.toFixed(2)} ms`.padStart(8),
      `${ratio.toFixed(2)}${ratio <= 2 ? ' ✓' : ' ✗'}`.padStart(7),
      `${held.toFixed(1)} ms${held <= 10 ? ' ✓' : ' ✗'}`.padStart(11),
      `${Math.round(many.rate)}/s`.padStart(11),
      `${many.held.toFixed(1)} ms`.padStart(11),
      (many.isCompacted ? 'yes' : 'no').padStart(11),
      `${lowdb.write.toFixed(1)} ms`.padStart(10),
      `${lowdb.held.toFixed(1)} ms`.padStart(11)
    ].join('')
  )
}

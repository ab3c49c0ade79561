import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { childOf } from '../http/child.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'

const HELP = `Changes a config of many flags, and measures how long the provider holds the event loop of its process. A server in another
process announces each change on the provider's stream. Build first: npm run build, at the root.

  npm run change                       10,000 flags, 10 changes of each kind; a minute
  npm run change -- --flags 1000       fewer flags
  npm run change -- --changes 30       more changes of each kind`

const { values: options } = parseOptions({
  options: {
    flags: { type: 'number', default: 10_000 },
    changes: { type: 'number', default: 10 },
    help: { type: 'boolean' }
  }
})

/** The longest turn of the event loop after a change, in milliseconds. */
const GOAL_MS = 10

const KINDS = ['value', 'added', 'removed', 're-indented']

if (options.help) console.log(HELP)
else await main(options)

async function main({ flags, changes }) {
  if (!existsSync(new URL('../../packages/openfeature-provider/dist/index.js', import.meta.url))) {
    console.error(
      'packages/openfeature-provider/dist is missing: run `npm install` and `npm run build` at the root first'
    )
    process.exit(1)
  }
  const loadBefore = loadavg()[0]
  const server = childOf('../providers/configServer.mjs')
  const provider = childOf('../providers/changedProvider.mjs')
  try {
    const { port, bytes } = await server.ask({ flags })
    await provider.ask({ url: `http://127.0.0.1:${port}` })
    const figures = Object.fromEntries(KINDS.map((kind) => [kind, []]))
    for (let round = -1; round < changes; round++) {
      process.stderr.write(round < 0 ? 'warming up\n' : `round ${round + 1} of ${changes}\n`)
      for (const kind of KINDS) {
        const measured = provider.ask({ kind })
        await server.ask({ kind })
        const figure = await measured
        if (figure.error) throw new Error(`${kind}: ${figure.error}`)
        // The JavaScript engine optimizes the code in the first round.
        if (round >= 0) figures[kind].push({ ...figure, ...(await server.ask({ isParsed: true })) })
      }
    }
    print(figures, `${flags} flags, ${(bytes / 1e6).toFixed(1)} MB, ${changes} changes of each kind`)
    console.log(`\nload average ${loadBefore.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`)
  } finally {
    for (const child of [server, provider]) child.stop()
  }
}

function print(figures, title) {
  const columns = [
    ['longest turn', ({ longest }) => longest],
    ['same, CPU', ({ longestCpu }) => longestCpu],
    ['whole, CPU', ({ cpu }) => cpu],
    ['JSON.parse', ({ parse }) => parse],
    ['same, CPU', ({ parseCpu }) => parseCpu]
  ]
  console.log(`\n${title}: ms, median and maximum`)
  console.log(`change       ${columns.map(([name]) => name.padStart(16)).join('')}   goal: longest turn ≤ ${GOAL_MS}`)
  for (const [kind, all] of Object.entries(figures)) {
    const cells = columns.map(([, of]) => {
      const values = all.map(of)
      return `${format(median(values))} ${format(Math.max(...values))}`.padStart(16)
    })
    const isMet = all.every(({ longest }) => longest <= GOAL_MS)
    console.log(`${kind.padEnd(13)}${cells.join('')}   ${isMet ? '✓' : '✗'}`)
  }
}

function format(ms) {
  return (ms < 100 ? ms.toFixed(1) : ms.toFixed(0)).padStart(6)
}

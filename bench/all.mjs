import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { own } from './lib/cleanUp.mjs'
import { parseOptions } from './lib/commandLine.mjs'

const HELP = `Runs the comparisons with other programs one after the other, and prints one report: the core beside its peers (npm
start), the server beside bare node:http, Fastify and Koa (npm run http), the provider beside others (npm run provider), and
the file store beside an append log and lowdb (npm run store). Build first: npm run build, at the root.

  npm run all               about ten minutes
  npm run all -- --quick    fewer and shorter rounds, about two minutes`

const { values: options } = parseOptions({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } })

const PARTS = [
  { title: 'The core', program: 'evaluations/run.mjs', quick: ['--quick'] },
  { title: 'The server', program: 'http/run.mjs', quick: ['--rounds', '3', '--slice', '100'] },
  { title: 'The provider', program: 'providers/run.mjs', quick: ['--quick'] },
  { title: 'The store', program: 'store/run.mjs', quick: ['--rounds', '50', '--megabytes', '0.1,1'] }
]

if (options.help) console.log(HELP)
else await main()

async function main() {
  const sections = []
  const before = loadavg()[0]
  for (const { title, program, quick } of PARTS) {
    process.stderr.write(`${title}\n`)
    const { output, code } = await run(program, options.quick ? quick : [])
    if (code !== 0) process.exitCode = 1
    const table = `\`\`\`\n${output.replace(/^\n+|\n+$/g, '')}\n\`\`\``
    sections.push(`## ${title}\n\n${table}${code === 0 ? '' : `\n\n${program} ended with code ${code}`}`)
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`
  const load = `load average ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after`
  console.log(
    `# Benchmarks of ${new Date().toISOString().slice(0, 10)}\n\n${machine}, ${load}\n\n${sections.join('\n\n')}`
  )
}

/** Runs a program, whose progress and errors are shown. Returns what it prints, and its exit code. */
async function run(program, args) {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = own(spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }), 'SIGTERM')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const [code, signal] = await once(child, 'close')
  return { output, code: code ?? signal }
}

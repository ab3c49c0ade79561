// Kills and stops what a server needs while all kinds of writers use it, and looks for every acknowledged write
// afterwards: packages/server/test/chaos. Not part of `npm test`.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const server = fileURLToPath(new URL('../../packages/server', import.meta.url))
const scenarios = readdirSync(`${server}/test/chaos`).flatMap((name) => /^(\w+)\.chaos\.ts$/.exec(name)?.[1] ?? [])

const HELP = `Kills and stops what a server needs while it is written to, and looks for every acknowledged write afterwards.

  npm run chaos                             all scenarios: ${scenarios.join(', ')}
  npm run chaos -- kill disk                some of them
  npm run chaos -- kill --rounds 100        100 rounds instead of the default of each scenario
  npm run chaos -- kill --store postgres    with this kind of store only: file or postgres
  npm run chaos -- kill --minutes 20        begins no new round after 20 minutes
  npm run chaos -- soak --minutes 5         5 minutes instead of 30 on each store; memory is only printed
  npm run chaos -- --workers 2              servers with two workers each
  npm run chaos -- --seed 7                 other pauses; the default seed is 1

By default, servers are killed 1,000 times with a directory and 200 times with PostgreSQL, which takes hours on a small
machine. \`nice -n 19 npm run chaos\` leaves it to other work. The failover scenario needs Debian's packages patroni,
etcd-server and postgresql, and is skipped without them. A part of the disk scenario needs to mount a file system.`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    store: { type: 'string' },
    minutes: { type: 'string' },
    workers: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean' }
  }
})

const unknown = positionals.find((name) => !scenarios.includes(name))
if (options.help) console.log(HELP)
else if (unknown !== undefined) fail(`there is no scenario "${unknown}"; there are ${scenarios.join(', ')}`)
else if (!['file', 'postgres', undefined].includes(options.store))
  fail(`--store is file or postgres, not "${options.store}"`)
else run()

function run() {
  const build = spawnSync(
    process.execPath,
    ['scripts/turbo.mjs', 'run', 'build', '--filter=@burgee/server', '--output-logs=errors-only'],
    { cwd: root, stdio: 'inherit' }
  )
  if (build.status !== 0) process.exit(1)
  const { rounds = '', store = '', minutes = '', workers = '', seed } = options
  console.log(`seed ${seed}`)
  const files = positionals.map((name) => `test/chaos/${name}.chaos.ts`)
  const { status } = spawnSync(
    process.execPath,
    [`${root}/node_modules/vitest/vitest.mjs`, 'run', '--config', 'chaos.config.ts', ...files],
    {
      cwd: server,
      env: {
        ...process.env,
        CHAOS_SEED: seed,
        ...(rounds ? { CHAOS_ROUNDS: rounds } : {}),
        ...(store ? { CHAOS_STORES: store } : {}),
        ...(minutes ? { CHAOS_MINUTES: minutes } : {}),
        ...(workers ? { CHAOS_WORKERS: workers } : {})
      },
      stdio: 'inherit'
    }
  )
  process.exitCode = status ?? 1
}

function fail(message) {
  console.error(message)
  process.exitCode = 2
}

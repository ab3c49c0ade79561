import { readFile, writeFile } from 'node:fs/promises'
import { parseOptions, refuse } from '../lib/commandLine.mjs'
import { seeded } from '../lib/random.mjs'
import { check } from './check.mjs'
import { readCosts } from './costs.mjs'
import { toPlan } from './plan.mjs'
import { toTables } from './tables.mjs'

const HELP = `Computes the capacity tables of docs/operations/scale.md from recorded costs, and simulates bursts and failures.

  npm run scale                                        a million requests per second, a billion users; a few seconds
  npm run scale -- --requests 20000 --users 5000000    another load
  npm run scale -- --seed 2                            other random numbers
  npm run scale -- --check                             measures a server on this computer, and compares it with the model
  npm run scale -- --check --record                    also writes the costs to scale/costs.json, and the tables to the page
  npm run scale -- --help                              this text

--record does not change the text around the tables. --check takes three minutes, starts a PostgreSQL server, and needs a build: npm run build, at the root.`

/** The load of the page. */
const LOAD = { requests: 1_000_000, users: 1_000_000_000 }

const { values: options } = parseOptions({
  options: {
    requests: { type: 'number', default: LOAD.requests },
    users: { type: 'number', default: LOAD.users },
    seed: { type: 'number', default: 1, least: 0 },
    check: { type: 'boolean' },
    record: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})

const PAGE = new URL('../../docs/operations/scale.md', import.meta.url)

if (options.help) console.log(HELP)
else if (options.record && !options.check) refuse('--record needs --check, which measures the costs')
else if (options.record && !(options.requests === LOAD.requests && options.users === LOAD.users)) {
  refuse('--record is for the load of the page, without --requests and --users')
} else if (options.check) {
  await check({ isRecorded: options.record, random: seeded(options.seed) })
  if (options.record) await writeFile(PAGE, withTables(await readFile(PAGE, 'utf8'), tables()))
} else {
  const { date, machine } = readCosts()
  console.log(`Costs of ${date}, ${machine}\n\n${tables().join('\n\n')}`)
}

function tables() {
  return toTables(toPlan(options.requests, options.users, readCosts()), seeded(options.seed))
}

/** Replaces the tables of a page by those with the same columns. */
function withTables(page, tables) {
  return tables.reduce((text, table) => {
    const head = table.slice(0, table.indexOf('\n') + 1)
    const start = text.indexOf(`\n${head}`) + 1
    if (start === 0) throw new Error(`docs/operations/scale.md has no table with the columns ${head}`)
    return text.slice(0, start) + table + text.slice(text.indexOf('\n\n', start))
  }, page)
}

import { parseOptions, refuse } from './commandLine.mjs'
import { seeded } from './random.mjs'
import { check } from './scale/check.mjs'
import { costs } from './scale/costs.mjs'
import { toPlan } from './scale/plan.mjs'
import { printTables } from './scale/tables.mjs'

const HELP = `Computes the capacity tables of docs/operations/scale.md from recorded costs, and simulates bursts and failures.

  npm run scale                                        a million requests per second, a billion users; a few seconds
  npm run scale -- --requests 20000 --users 5000000    another load
  npm run scale -- --seed 2                            other random numbers
  npm run scale -- --check                             measures a server on this computer, and compares it with the model
  npm run scale -- --check --record                    also writes the measured costs to scale/costs.json
  npm run scale -- --help                              this text

--check takes two minutes, starts a PostgreSQL server, and needs a build: npm run build, at the root.`

const { values: options } = parseOptions({
  options: {
    requests: { type: 'number', default: 1000000 },
    users: { type: 'number', default: 1000000000 },
    seed: { type: 'number', default: 1, least: 0 },
    check: { type: 'boolean' },
    record: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})

if (options.help) console.log(HELP)
else if (options.record && !options.check) refuse('--record needs --check, which measures the costs')
else if (options.check) await check({ record: options.record, random: seeded(options.seed) })
else printTables(toPlan(options.requests, options.users, costs), seeded(options.seed))

import { readFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** The file that `npm run scale -- --check --record` and `npm run streams -- --record` write. */
export const COSTS = new URL('costs.json', import.meta.url)

const { workloads } = read('../results.json')

/**
 * Costs as they were recorded, in microseconds of CPU time with that of the kernel:
 *
 * - `variables`, `unchanged`: a request for 20 variables, and one for 20 OFREP flags that is answered with 304; `bytes` of
 *   the body.
 * - `stream`: opening one, and sending it a message; `bytes` of memory.
 * - `event`: one of 100 in a request, with a file store; and with PostgreSQL, of the server and of the database.
 * - `spread`: durations of requests for 20 variables as multiples of their mean, from the shortest to the longest.
 * - `evaluation`: all of 20 flags in the process of an application, as twice the workload d10 of `npm start`.
 */
export const costs = { ...read('costs.json'), evaluation: (2 * workloads.d10.nanoseconds) / 1000 }

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

const FILE = fileURLToPath(new URL('costs.json', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Writes the costs, without `evaluation`, for `npm run scale -- --check --record` and `npm run streams -- --record`. */
export function writeCosts({ evaluation: _, ...costs }) {
  writeFileSync(FILE, `${JSON.stringify(costs, undefined, 2)}\n`)
  // As the checks of the repository expect it.
  execFileSync('npx', ['--no-install', 'biome', 'format', '--write', FILE], { cwd: ROOT, stdio: 'ignore' })
}

/** The measured kinds of requests. */
export const KINDS = {
  variables: '20 variables, `POST /v1/variables`',
  clientConfig: 'start of a browser or an app, `GET /v1/sdkConfig`',
  document: 'download of a server, `GET /config/v1/server/KEY.json`',
  documentUnchanged: 'the same, 304',
  ofrepUnchanged: '20 flags of OFREP, 304'
}

/**
 * Reads the costs as they were recorded, in microseconds of CPU time with that of the kernel:
 *
 * - `variables`: a request for 20 variables; `bytes` of the body, compressed if the client accepts it.
 * - `clientConfig`, `document`, `documentUnchanged`: the download of a browser or an app that starts, that of a server,
 *   and that of a server that has the document already (304). Each is a ratio to `variables`, measured in the same run.
 * - `ofrepUnchanged`: a request for 20 OFREP flags that is answered with 304.
 * - `stream`: opening one, and sending it a message; `bytes` of memory.
 * - `event`: an event that an edge node accepts (`direct`) as one of ten of a user in a request, measured with a file
 *   store; and one that an edge node forwards in a request with those of a hundred users, of a server with PostgreSQL and
 *   of the database.
 * - `spread`: durations of requests for 20 variables as multiples of their mean, from the shortest to the longest.
 * - `collection`: a garbage collection takes `ms` milliseconds, after so many `requests` for 20 variables on average. It is
 *   part of their CPU time.
 * - `evaluation`: all of 20 flags in the process of an application, as twice the workload d10 of `npm start`.
 */
export function readCosts() {
  const { workloads } = read('../evaluations/results.json')
  return { ...read('costs.json'), evaluation: (2 * workloads.d10.nanoseconds) / 1000 }
}

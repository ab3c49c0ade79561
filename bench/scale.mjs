import { parseOptions } from './commandLine.mjs'

const HELP = `Computes the capacity tables of docs/operations/scale.md from measured costs.

  npm run scale                                        a million requests per second, a billion users
  npm run scale -- --requests 20000 --users 5000000    another load
  npm run scale -- --help                              this text`

const { values: options } = parseOptions({
  options: {
    requests: { type: 'string', default: '1000000' },
    users: { type: 'string', default: '1000000000' },
    help: { type: 'boolean' }
  }
})

/** Measured on the machine of docs/performance.md. CPU times include those of the kernel. */
const COSTS = {
  /** Microseconds of one request for 20 variables, and bytes of its answer: `npm run http`. */
  request: { cpu: 130, bytes: 4_705 },
  /** Microseconds of one answer with 304: `npm run http`, OFREP bulk. */
  unchanged: { cpu: 114 },
  /** Microseconds of one flag in the process of an application: workload a, `npm start`. */
  flag: { cpu: 0.12 },
  /** Events per second of a server with two cores, 100 in a request, less than `npm run events` measures on idle ones. */
  events: 200_000,
  /** Bytes of memory of an open stream: `npm run streams`; and the default of BURGEE_MAX_STREAMS. */
  stream: { bytes: 14_000, limit: 10_000 },
  /** Connections of a server to PostgreSQL: BURGEE_STORE_CONNECTIONS, and two for notifications and health checks. */
  connections: 12,
  /** Bytes of memory for each user of an experiment while its result is computed: docs/operations/sizing.md. */
  resultBytes: 500
}

/** Assumptions about the load. Change them to yours. */
const LOAD = {
  /** The share of a core that requests may use, so that a node that fails can be replaced by the others. */
  utilization: 0.6,
  /** The share of users of a day, their starts of the application, and the peak over the mean of a day. */
  daily: 0.3,
  starts: 4,
  peak: 3,
  /** The share of users with an open application at the peak. */
  open: 0.02,
  /** Custom events of a user in a day. */
  events: 10,
  coresOfNode: 2
}

if (options.help) console.log(HELP)
else print(Number(options.requests), Number(options.users))

function print(requests, users) {
  const { utilization, coresOfNode } = LOAD
  const nodes = (cores) => Math.ceil(cores / utilization / coresOfNode)
  const cores = (rate, cpu) => (rate * cpu) / 1e6
  const daily = users * LOAD.daily
  const starts = (daily * LOAD.starts * LOAD.peak) / 86_400
  const streams = users * LOAD.open
  const events = (daily * LOAD.events * LOAD.peak) / 86_400
  table(`${format(requests)} requests per second`, [
    ['nodes for evaluation over HTTP', nodes(cores(requests, COSTS.request.cpu))],
    ['cores of applications that evaluate themselves', cores(requests, COSTS.flag.cpu)],
    ['gigabits per second of responses', (requests * COSTS.request.bytes * 8) / 1e9],
    ['connections to PostgreSQL without edge nodes', nodes(cores(requests, COSTS.request.cpu)) * COSTS.connections]
  ])
  table(`${format(users)} users`, [
    ['starts of applications per second at the peak', starts],
    ['nodes for them, if all responses are 200', nodes(cores(starts, COSTS.request.cpu))],
    ['nodes for them, if all responses are 304', nodes(cores(starts, COSTS.unchanged.cpu))],
    ['nodes for open streams', Math.ceil(streams / COSTS.stream.limit)],
    ['gigabytes of memory for open streams', (streams * COSTS.stream.bytes) / 1e9],
    ['events per second at the peak', events],
    ['nodes that take events', Math.ceil(events / COSTS.events / utilization)],
    ['gigabytes of memory for the result of an experiment with all users', (users * COSTS.resultBytes) / 1e9]
  ])
}

function table(title, rows) {
  console.log(`\n| ${title} | |\n| --- | ---: |`)
  for (const [name, value] of rows) console.log(`| ${name} | ${format(value)} |`)
}

/** Rounds to two digits: the model has no more. */
function format(value) {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

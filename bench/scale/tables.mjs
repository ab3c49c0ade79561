import { KINDS } from './costs.mjs'
import { ASSUMED, SETTINGS, toLimits } from './plan.mjs'
import {
  meanLatency,
  simulateChange,
  simulatedNodes,
  simulateOutage,
  simulateReconnections,
  simulateRequests
} from './scenarios.mjs'
import { ServiceTimes } from './serviceTimes.mjs'

const { processorsOfNode: processes, utilization } = ASSUMED

/** Returns tables of what a load needs, and of simulations of what happens to it, as Markdown. */
export function toTables(plan, random) {
  return [
    costTable(plan),
    ...planTables(plan),
    table(
      ['part', 'full at'],
      toLimits(plan).map(({ part, multiple }) => [part, times(multiple)])
    ),
    requestTable(plan, random),
    reconnectionTable(plan, random),
    changeTable(plan, random),
    outageTable(plan)
  ]
}

function costTable({ costs }) {
  const rows = Object.entries(KINDS).map(([kind, name]) => {
    const { cpu, bytes } = costs[kind]
    const size = bytes === undefined ? '–' : `${format(bytes / 1000)} kB`
    return [name, `${format(cpu)} µs`, times(cpu / costs.variables.cpu), size]
  })
  return table(['request', 'CPU time', 'to 20 variables', 'response'], rows)
}

function planTables(plan) {
  const load = table(
    [`${format(plan.requests)} requests per second`, ''],
    [
      ['nodes for evaluation over HTTP', format(plan.nodes)],
      ['processors of applications that evaluate themselves', format(plan.ownProcessors)],
      ['gigabits per second of responses', format(plan.gigabits)],
      ['connections to PostgreSQL without edge nodes', format(plan.nodes * SETTINGS.connections)]
    ]
  )
  const users = table(
    [`${format(plan.users)} users`, ''],
    [
      ['starts of applications per second at the peak', format(plan.starts)],
      ['nodes for them', format(plan.startNodes)],
      ['gigabits per second of their configs', format(plan.startGigabits)],
      ['nodes for open streams', format(plan.streamNodes)],
      ['gigabytes of memory for open streams', format(plan.streamGigabytes)],
      ['downloads per second after a change', format(plan.downloads)],
      ['gigabits of the downloads after a change', format(plan.changeGigabits)],
      [`seconds in which edge nodes download a config from ${plan.servers} servers`, format(plan.edgeSeconds)],
      ['events per second at the peak', format(plan.events)],
      ['nodes that accept them', format(plan.eventNodes)],
      ['servers to which they forward them', format(plan.eventServers)],
      ['processors of the database for events', format(plan.databaseProcessors)],
      ['gigabytes of memory for the result of an experiment with all users', format(plan.resultGigabytes)]
    ]
  )
  return [load, users]
}

/** Returns the times of a request for 20 variables. */
function serviceTimes(costs) {
  return new ServiceTimes(costs.variables.cpu / 1000, costs)
}

function requestTable(plan, random) {
  const nodes = simulatedNodes(plan.nodes)
  // Moments in milliseconds. The load balancer notices a failure after two seconds.
  const [begin, detection, milliseconds] = [500, 2_000, 4_000]
  const burst = (multiple, lasting) => ({
    rateAt: (at) => (at >= begin && at < begin + lasting ? multiple : 1),
    watched: [begin, begin + lasting]
  })
  const failure = (count) => [
    failed(count, nodes),
    { rateAt: () => 1, failing: { nodes: count, at: begin, detection }, watched: [begin + detection, milliseconds] }
  ]
  const cases = [
    ['the planned load', { rateAt: () => 1 }],
    ['1.2 × the load', { rateAt: () => 1.2 }],
    ['1.4 × the load', { rateAt: () => 1.4 }],
    ['1.6 × the load', { rateAt: () => 1.6 }],
    ['1.5 × for 2 s', burst(1.5, 2_000)],
    ['2 × for 1 s', burst(2, 1_000)],
    ...failures(nodes).map(failure)
  ]
  const rows = cases.map(([name, scenario]) => {
    const shared = { nodes: plan.nodes, processes, rate: plan.requests / 1000, milliseconds }
    const result = simulateRequests({ ...shared, serviceTimes: serviceTimes(plan.costs), random, ...scenario })
    const { mean, load, p50, p99, max, lost, slow } = result
    const computed =
      scenario.watched === undefined ? compareMean(name, mean, (plan.requests / 1000) * scenario.rateAt(), plan) : '–'
    return [
      name,
      Number.isFinite(load) ? percent(load) : '–',
      duration(mean),
      computed,
      ...[p50, p99, max].map(duration),
      percent(lost),
      slow === 0 ? '–' : duration(slow)
    ]
  })
  const columns = ['evaluation over HTTP', 'load', 'mean', 'by formula', 'p50', 'p99', 'longest', 'lost', 'slow for']
  return table(columns, rows)
}

/** Returns the numbers of nodes whose failure is simulated: one, and a third of them. */
function failures(nodes) {
  return [...new Set([1, thirdOf(nodes)])]
}

function thirdOf(nodes) {
  return Math.max(1, Math.round(nodes / 3))
}

function failed(count, nodes) {
  return `${count} of ${nodes} nodes fail${count === 1 ? 's' : ''}`
}

/** Returns the mean latency that the formula gives, and lets the program fail if the simulation does not agree. */
function compareMean(name, mean, rate, { nodes, costs }) {
  const computed = meanLatency(rate / (nodes * processes), serviceTimes(costs))
  if (Math.abs(mean / computed - 1) > TOLERANCE) {
    console.error(`${name}: the simulation has a mean latency of ${mean} ms, the formula of ${computed} ms`)
    process.exitCode = 1
  }
  return duration(computed)
}

/** A share by which a simulation of a million requests may differ from the formula. */
const TOLERANCE = 0.1

function reconnectionTable(plan, random) {
  const limit = SETTINGS.maxStreams * SETTINGS.publicShare
  const shared = {
    nodes: Math.min(plan.streamNodes, 30),
    processes,
    limit,
    openMs: plan.costs.stream.open / 1000,
    retryMs: SETTINGS.retryMs,
    refusedMs: SETTINGS.refusedMs,
    random
  }
  const third = thirdOf(shared.nodes)
  const cases = [
    [failed(third, shared.nodes), { streams: plan.streamsOfNode, failed: third }],
    ['the same, all capacity was used', { streams: limit, failed: third }],
    ['all connections are cut', { streams: plan.streamsOfNode, failed: 0 }]
  ]
  const rows = cases.map(([name, scenario]) => {
    const { lost, refused, waiting, peak, busy, end } = simulateReconnections({ ...shared, ...scenario })
    const until = waiting > 0 ? 'never' : duration(end)
    return [name, format(lost), format(refused), format(peak), percent(busy), until]
  })
  const title = `streams open again, ${plural(shared.nodes, 'node')}`
  const columns = [title, 'streams', 'refusals', 'opened per second and node', 'utilization', 'all open after']
  return table(columns, rows)
}

function changeTable(plan, random) {
  const pace = { burst: SETTINGS.burst, perMillisecond: SETTINGS.perMillisecond }
  const shared = {
    processes,
    pace,
    messageMs: plan.costs.stream.message / 1000,
    downloadMs: plan.costs.clientConfig.cpu / 1000,
    serviceTimes: serviceTimes(plan.costs),
    random
  }
  const requestsOf = (share) => (share * processes * 1000) / plan.costs.variables.cpu
  const rows = [
    [plan.streamsOfNode, 0.05],
    [plan.streamsOfNode, utilization],
    [SETTINGS.maxStreams, utilization]
  ].map(([streams, share]) => {
    const { notified, downloaded, busy, p99 } = simulateChange({ ...shared, streams, rate: requestsOf(share) })
    return [
      plural(streams, 'stream'),
      percent(share),
      duration(notified),
      duration(downloaded),
      percent(busy),
      duration(p99)
    ]
  })
  const columns = [
    'a change at all streams of a node',
    'utilization by requests',
    'all notified',
    'all downloaded',
    'load of the busiest second',
    'p99 of requests'
  ]
  return table(columns, rows)
}

function outageTable(plan) {
  const shared = {
    capacity: plan.eventCapacity,
    nodes: plan.edgeNodes,
    bytes: ASSUMED.eventBytes,
    queueBytes: SETTINGS.queueBytes
  }
  // A day has its peak and its night.
  const outages = [
    ['a minute at the peak', 60, plan.events],
    ['an hour at the peak', 3_600, plan.events],
    ['a day', 86_400, plan.meanEvents]
  ]
  const rows = outages.map(([name, seconds, rate]) => {
    const { megabytes, lost, drained } = simulateOutage({ ...shared, seconds, rate })
    return [name, `${format(megabytes)} MiB`, percent(lost), duration(drained * 1000)]
  })
  return table(['the database is unavailable for', 'waiting at each node', 'refused', 'all stored after'], rows)
}

function table(columns, rows) {
  const head = `| ${columns.join(' | ').trim()} |\n| --- |${' ---: |'.repeat(columns.length - 1)}`
  return [head, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}

/** Rounds to two digits: the model has no more. */
function format(value) {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

function plural(count, name) {
  return `${format(count)} ${name}${count === 1 ? '' : 's'}`
}

function percent(share) {
  return `${format(100 * share)}%`
}

function duration(milliseconds) {
  const [unit, size] = UNITS.find(([, least]) => milliseconds >= least) ?? UNITS.at(-1)
  return Number.isFinite(milliseconds) ? `${format(milliseconds / size)} ${unit}` : '–'
}

/** Units with their milliseconds. */
const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1]
]

function times(multiple) {
  return `${format(multiple)} ×`
}

import { costs } from './costs.mjs'
import { ASSUMED, SETTINGS, toLimits } from './plan.mjs'
import { meanLatency, simulateChange, simulateOutage, simulateReconnections, simulateRequests } from './scenarios.mjs'

const { processorsOfNode: processes, utilization } = ASSUMED

/** Prints what a load needs, and simulates what happens to it. */
export function printTables(plan, random) {
  console.log(`Costs of ${costs.date}, ${costs.machine}`)
  printPlan(plan)
  table(
    ['part', 'full at'],
    toLimits(plan, costs).map(({ part, multiple }) => [part, times(multiple)])
  )
  printRequests(plan, random)
  printReconnections(plan, random)
  printChange(plan, random)
  printOutages(plan)
}

function printPlan(plan) {
  table(
    [`${format(plan.requests)} requests per second`, ''],
    [
      ['nodes for evaluation over HTTP', format(plan.nodes)],
      ['processors of applications that evaluate themselves', format(plan.ownProcessors)],
      ['gigabits per second of responses', format(plan.gigabits)],
      ['connections to PostgreSQL without edge nodes', format(plan.nodes * SETTINGS.connections)]
    ]
  )
  table(
    [`${format(plan.users)} users`, ''],
    [
      ['starts of applications per second at the peak', format(plan.starts)],
      ['nodes for them, if all responses are 200', format(plan.startNodes)],
      ['nodes for them, if all responses are 304', format(plan.startNodesUnchanged)],
      ['gigabits per second of their documents', format(plan.documentGigabits)],
      ['nodes for open streams', format(plan.streamNodes)],
      ['gigabytes of memory for open streams', format(plan.streamGigabytes)],
      ['downloads per second after a change', format(plan.downloads)],
      ['gigabits of the downloads after a change', format(plan.changeGigabits)],
      [`seconds in which edge nodes download a config from ${ASSUMED.servers} servers`, format(plan.edgeSeconds)],
      ['events per second at the peak', format(plan.events)],
      ['servers that receive events', format(plan.eventServers)],
      ['processors of the database for events', format(plan.databaseProcessors)],
      ['gigabytes of memory for the result of an experiment with all users', format(plan.resultGigabytes)]
    ]
  )
}

/** Returns a function that returns random milliseconds of a request for 20 variables. */
function serviceTimes(random) {
  return () => (costs.variables.cpu / 1000) * random.one(costs.spread)
}

function printRequests(plan, random) {
  // Moments in milliseconds. The load balancer notices a failure after two seconds.
  const burst = (multiple, from, to) => (at) => (at >= from && at < to ? multiple : 1)
  const cases = [
    ['the planned load', { rateAt: () => 1 }],
    ['1.2 × the load', { rateAt: () => 1.2 }],
    ['1.4 × the load', { rateAt: () => 1.4 }],
    ['1.6 × the load', { rateAt: () => 1.6 }],
    ['1.5 × for 2 s', { rateAt: burst(1.5, 500, 2_500), from: 500 }],
    ['2 × for 1 s', { rateAt: burst(2, 500, 1_500), from: 500 }],
    ['a node fails', { failing: { share: 0, at: 500, detection: 2_000 }, from: 500 }],
    ['a third of the nodes fails', { failing: { share: 1 / 3, at: 500, detection: 2_000 }, from: 500 }]
  ]
  const rows = cases.map(([name, { from, ...scenario }]) => {
    const shared = { nodes: plan.nodes, processes, rate: plan.requests / 1000, rateAt: () => 1, milliseconds: 4_000 }
    const result = simulateRequests({ ...shared, serviceTime: serviceTimes(random), random, ...scenario })
    const { mean, p50, p99, max, lost, slowUntil } = result
    const computed =
      from === undefined ? compareMean(name, mean, (plan.requests / 1000) * scenario.rateAt(), plan) : '–'
    const slow = slowUntil === 0 ? '–' : `${((slowUntil - from) / 1000).toFixed(1)} s`
    return [
      name,
      percent(result.utilization),
      duration(mean),
      computed,
      ...[p50, p99, max].map(duration),
      percent(lost),
      slow
    ]
  })
  const columns = [
    'evaluation over HTTP',
    'utilization',
    'mean',
    'by formula',
    'p50',
    'p99',
    'longest',
    'lost',
    'slow for'
  ]
  table(columns, rows)
}

/** Returns the mean latency that the formula gives, and lets the program fail if the simulation does not agree. */
function compareMean(name, mean, rate, { nodes }) {
  const times = costs.spread.map((multiple) => (multiple * costs.variables.cpu) / 1000)
  const computed = meanLatency(rate / (nodes * processes), times)
  if (Math.abs(mean / computed - 1) > TOLERANCE) {
    console.error(`${name}: the simulation has a mean latency of ${mean} ms, the formula of ${computed} ms`)
    process.exitCode = 1
  }
  return duration(computed)
}

/** A share by which a simulation of four seconds may differ from the formula. */
const TOLERANCE = 0.1

function printReconnections(plan, random) {
  const limit = SETTINGS.maxStreams * SETTINGS.publicShare
  const shared = {
    nodes: Math.min(plan.streamNodes, 30),
    processes,
    limit,
    openMs: costs.stream.open / 1000,
    retryMs: SETTINGS.retryMs,
    refusedMs: SETTINGS.refusedMs,
    random
  }
  const cases = [
    ['a third of the nodes fails', { streams: plan.streamsOfNode, failing: 1 / 3 }],
    ['a third fails, all capacity was used', { streams: limit, failing: 1 / 3 }],
    ['all connections are cut', { streams: plan.streamsOfNode, failing: 0 }]
  ]
  const rows = cases.map(([name, scenario]) => {
    const { lost, refused, waiting, peak, busy, end } = simulateReconnections({ ...shared, ...scenario })
    const until = waiting > 0 ? 'never' : duration(end)
    return [name, format(lost), format(refused), format(peak), percent(busy), until]
  })
  const title = `streams open again, ${shared.nodes} nodes`
  const columns = [title, 'streams', 'refusals', 'opened per second and node', 'utilization', 'all open after']
  table(columns, rows)
}

function printChange(plan, random) {
  const pace = { burst: SETTINGS.burst, perMillisecond: SETTINGS.perMillisecond }
  const shared = {
    processes,
    pace,
    messageMs: costs.stream.message / 1000,
    downloadMs: costs.variables.cpu / 1000,
    serviceTime: serviceTimes(random),
    random
  }
  const requestsOf = (share) => (share * processes * 1000) / costs.variables.cpu
  const rows = [
    [plan.streamsOfNode, 0.05],
    [plan.streamsOfNode, utilization],
    [SETTINGS.maxStreams, utilization]
  ].map(([streams, share]) => {
    const { notified, downloaded, busy, p99 } = simulateChange({ ...shared, streams, rate: requestsOf(share) })
    return [
      `${format(streams)} streams`,
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
    'peak utilization',
    'p99 of requests'
  ]
  table(columns, rows)
}

function printOutages(plan) {
  const shared = {
    rate: plan.events,
    capacity: plan.events / utilization,
    nodes: plan.nodes,
    bytes: ASSUMED.eventBytes,
    queueBytes: SETTINGS.queueBytes
  }
  const rows = Object.entries({ 'a minute': 60, 'an hour': 3_600, 'a day': 86_400 }).map(([name, seconds]) => {
    const { megabytes, lost, drained } = simulateOutage({ ...shared, seconds })
    return [name, `${format(megabytes)} MiB`, percent(lost), duration(drained * 1000)]
  })
  table(['the database is unavailable for', 'waiting at each node', 'refused', 'all stored after'], rows)
}

function table(columns, rows) {
  console.log(`\n| ${columns.join(' | ')} |\n| --- |${' ---: |'.repeat(columns.length - 1)}`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}

/** Rounds to two digits: the model has no more. */
function format(value) {
  return Number(value.toPrecision(2)).toLocaleString('en')
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

/** Assumptions about the load and the deployment. Change them to yours. */
export const ASSUMED = {
  /** The share of a processor that requests may use at the peak, so that other nodes can take over those of failed ones. */
  utilization: 0.6,
  /** A node is an edge node: one process, with a processor of its own. A server without workers is one, too. */
  processorsOfNode: 1,
  /** The share of users of a day, their starts of the application, and the peak over the mean of a day. */
  daily: 0.3,
  starts: 4,
  peak: 3,
  /** The share of users with an open application at the peak. */
  open: 0.02,
  /** The share of the stream capacity that is used at the peak: two thirds survive the loss of a third of the nodes. */
  streamFill: 0.65,
  /**
   * Events of a start, which the application sends in one request: two of its own, and counts of the evaluations of
   * eight variables. `scale/check.mjs` measures such requests. Bytes of an event that waits.
   */
  events: 10,
  eventBytes: 200,
  environments: 1,
  /** Bytes of a config, compressed. */
  configBytes: 1_000_000,
  /** Servers at least; events can need more. */
  servers: 3,
  databaseProcessors: 16,
  /** The network of a node in gigabits per second. */
  network: 10
}

/** Settings of the server with their defaults. */
export const SETTINGS = {
  /** BURGEE_MAX_STREAMS, and the share of it for client and mobile keys. */
  maxStreams: 10_000,
  publicShare: 0.8,
  /** Messages of a process that are sent at once, and per millisecond after that; the delay of reconnections; Retry-After. */
  burst: 1_000,
  perMillisecond: 4,
  retryMs: 1_000,
  refusedMs: 30_000,
  /** BURGEE_EDGE_QUEUE_MIB. */
  queueBytes: 2 ** 30,
  /** Connections of a server to PostgreSQL: BURGEE_STORE_CONNECTIONS, and two for notifications and health checks. */
  connections: 12,
  /** The default of PostgreSQL. */
  maxConnections: 100
}

/** Bytes of memory for each user of an experiment while its result is computed: docs/operations/sizing.md. */
const RESULT_BYTES = 500

/** Seconds. */
const DAY = 86_400

/** Computes what a load needs. */
export function toPlan(requests, users, costs, { utilization, processorsOfNode, ...assumed } = ASSUMED) {
  const processors = (rate, cpu) => (rate * cpu) / 1e6
  const nodesFor = (busy) => Math.max(1, Math.ceil(busy / utilization / processorsOfNode))
  const daily = users * assumed.daily
  const starts = (daily * assumed.starts * assumed.peak) / DAY
  const streams = users * assumed.open
  const events = starts * assumed.events
  const streamsOfNode = SETTINGS.maxStreams * SETTINGS.publicShare * assumed.streamFill
  const streamNodes = Math.max(1, Math.ceil(streams / streamsOfNode))
  const nodes = nodesFor(processors(requests, costs.variables.cpu))
  const startNodes = nodesFor(processors(starts, costs.clientConfig.cpu))
  const eventNodes = nodesFor(processors(events, costs.event.direct))
  const eventServers = nodesFor(processors(events, costs.event.server))
  const servers = Math.max(assumed.servers, eventServers)
  const edgeNodes = nodes + startNodes + eventNodes + streamNodes
  return {
    costs,
    requests,
    users,
    nodes,
    ownProcessors: processors(requests, costs.evaluation),
    gigabits: (requests * costs.variables.bytes * 8) / 1e9,
    starts,
    startNodes,
    startGigabits: (starts * costs.clientConfig.bytes * 8) / 1e9,
    streams,
    streamNodes,
    streamsOfNode: Math.ceil(streams / streamNodes),
    streamGigabytes: (streams * costs.stream.bytes) / 1e9,
    edgeSeconds: (edgeNodes * assumed.configBytes * 8) / (servers * assumed.network * 1e9),
    edgeNodes,
    changeGigabits: (streams * costs.clientConfig.bytes * 8) / 1e9,
    downloads: Math.min(streams, streamNodes * processorsOfNode * SETTINGS.perMillisecond * 1000),
    events,
    meanEvents: events / assumed.peak,
    /** What the servers and the database store at most. */
    eventCapacity:
      1e6 *
      Math.min((servers * processorsOfNode) / costs.event.server, assumed.databaseProcessors / costs.event.database),
    eventNodes,
    eventServers,
    servers,
    databaseProcessors: processors(events, costs.event.database) / utilization,
    resultGigabytes: (users * RESULT_BYTES) / 1e9
  }
}

/** Returns the parts with the multiple of the load at which each is full, the first to fail first. */
export function toLimits(plan, assumed = ASSUMED) {
  const { utilization, processorsOfNode } = assumed
  const { servers, costs } = plan
  const eventProcessors = (plan.events * costs.event.server) / 1e6
  const databaseProcessors = (plan.events * costs.event.database) / 1e6
  const download = (SETTINGS.perMillisecond * 1000 * costs.clientConfig.cpu) / 1e6
  const message = (SETTINGS.perMillisecond * 1000 * costs.stream.message) / 1e6
  const edgeStreams = plan.edgeNodes * assumed.environments
  const limits = [
    ['memory of a server with 8 GB for the result of an experiment with all users', 8 / plan.resultGigabytes],
    [`processors of ${servers} servers for events`, (servers * processorsOfNode) / eventProcessors],
    [
      `a database with ${assumed.databaseProcessors} processors, for events`,
      assumed.databaseProcessors / databaseProcessors
    ],
    ['processors of the nodes for evaluation, starts and events', 1 / utilization],
    ['stream capacity', 1 / assumed.streamFill],
    ['processors of a node with all its streams, during a change', 1 / (download + message)],
    ['network of a node for evaluation', assumed.network / (plan.gigabits / plan.nodes)],
    [`streams of edge nodes at ${servers} servers`, (servers * SETTINGS.maxStreams) / edgeStreams],
    [`connections of ${servers} servers to PostgreSQL`, SETTINGS.maxConnections / (servers * SETTINGS.connections)]
  ]
  return limits.map(([part, multiple]) => ({ part, multiple })).sort((one, other) => one.multiple - other.multiple)
}

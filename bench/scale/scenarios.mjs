import { Agenda, Fleet, Histogram, pauseUntilNext } from './fleet.mjs'

/** Nodes that are simulated at most: more of them only repeat what these show. */
const MAX_NODES = 200

/**
 * Simulates requests that arrive at random (a Poisson process), for some milliseconds, again and again until there are
 * enough of them.
 *
 * @param rate requests in a millisecond of all nodes; `rateAt(at)` is its multiple at a moment.
 * @param serviceTimes the times of a request (`ServiceTimes`).
 * @param failing the number of nodes that fail, of those that are simulated (`simulatedNodes`); when; and how long the
 *   load balancer still sends requests to them.
 * @param watched the milliseconds, from and to, whose `load` is returned; all if omitted, and those after `detection` if
 *   nodes fail.
 * @returns `load` is the work that arrives at the nodes to which requests are sent, as a share of their processors' time, infinite if there are none;
 *   `slow` the milliseconds in which requests arrive whose responses are slow.
 */
export function simulateRequests({ nodes, rate, milliseconds, watched = [0, milliseconds], ...scenario }) {
  const simulated = simulatedNodes(nodes)
  const mean = (rate * simulated) / nodes
  const rounds = Math.ceil(ENOUGH / (mean * milliseconds))
  const totals = { latencies: new Histogram(), count: 0, lost: 0, work: 0, time: 0, slow: 0 }
  for (let round = 0; round < rounds; round++) {
    simulateOnce({ ...scenario, nodes: simulated, mean, milliseconds, watched }, totals)
  }
  const { latencies, count, lost, work, time, slow } = totals
  return {
    mean: latencies.mean,
    load: work / time,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    max: latencies.max,
    lost: lost / count,
    slow: slow / rounds
  }
}

/** Requests that are simulated at least: with fewer of them, results are those of chance. */
const ENOUGH = 1_000_000

/** Returns how many nodes are simulated. */
export function simulatedNodes(nodes) {
  return Math.min(nodes, MAX_NODES)
}

function simulateOnce(
  { nodes, processes, mean, rateAt, serviceTimes, milliseconds, failing, watched, random },
  totals
) {
  const fleet = new Fleet(nodes, processes, random)
  if (failing) fleet.fail(failing.nodes, failing.at)
  let evicted = false
  let [slowFrom, slowTo] = [Number.POSITIVE_INFINITY, 0]
  for (let at = 0; ; ) {
    at += pauseUntilNext(mean * rateAt(at), random)
    if (at > milliseconds) break
    totals.count++
    if (failing && !evicted && at > failing.at + failing.detection) {
      fleet.evict(at)
      evicted = true
    }
    const duration = serviceTimes.next(random)
    if (at >= watched[0] && at < watched[1]) totals.work += duration
    const end = fleet.serve(at, duration)
    if (end === undefined) {
      totals.lost++
      continue
    }
    totals.latencies.add(end - at)
    if (end - at <= SLOW) continue
    slowFrom = Math.min(slowFrom, at)
    slowTo = at
  }
  totals.time += (watched[1] - watched[0]) * processes * (nodes - (failing?.nodes ?? 0))
  totals.slow += Math.max(0, slowTo - slowFrom)
}

/**
 * Returns the mean latency of requests that arrive at random at one process (Pollaczek and Khinchine's formula), with
 * which the simulation must agree.
 *
 * @param rate requests in a millisecond; `times` are those of a request (`ServiceTimes`).
 */
export function meanLatency(rate, times) {
  return times.moment(1) + (rate * times.moment(2)) / (2 * (1 - rate * times.moment(1)))
}

/** A response that takes longer than this many milliseconds is slow. */
const SLOW = 100

/**
 * Simulates applications that open their streams again, after a number of the nodes (`failed`) has failed, or after all
 * connections have been cut while the nodes work (0).
 *
 * @param streams streams of a node before.
 * @param limit streams that a node accepts; further ones get 503 and wait for `refusedMs`.
 * @param retryMs the least delay of a reconnection; the delay is up to five times as long.
 */
export function simulateReconnections({
  nodes,
  processes,
  streams,
  limit,
  failed,
  openMs,
  retryMs,
  refusedMs,
  random
}) {
  const left = nodes - failed
  if (left === 0)
    return { lost: nodes * streams, waiting: nodes * streams, refused: 0, peak: 0, busy: 0, end: Number.NaN }
  const open = new Int32Array(left).fill(failed === 0 ? 0 : streams)
  const fleet = new Fleet(left, processes, random)
  const agenda = new Agenda()
  const lost = failed === 0 ? nodes * streams : failed * streams
  for (let stream = 0; stream < lost; stream++) agenda.add({ at: retryMs * (1 + 4 * random.next()) })
  const perSecond = []
  let [refused, waiting, end] = [0, lost, 0]
  while (waiting > 0 && agenda.next < GIVE_UP) {
    const item = agenda.take()
    const second = Math.floor(item.at / 1000)
    perSecond[second] = (perSecond[second] ?? 0) + 1
    const node = random.below(left)
    const served = fleet.serve(item.at, openMs)
    if (open[node] >= limit) {
      refused++
      agenda.add({ at: item.at + refusedMs * (1 + random.next() / 10) })
      continue
    }
    open[node]++
    waiting--
    end = served
  }
  const peak = Math.max(...Array.from(perSecond, (count) => count ?? 0)) / left
  return {
    lost,
    waiting,
    refused,
    peak,
    busy: (peak * openMs) / (1000 * processes),
    end
  }
}

/** Milliseconds after which streams that no node has accepted count as lost. */
const GIVE_UP = 300_000

/**
 * Simulates a change at the open streams of a node: its processes announce it, a burst at first and then at a rate, and
 * each application downloads the config. Requests that arrive meanwhile wait for all messages before them: the server
 * would serve some of them after each hundred, so the latencies are upper limits.
 */
export function simulateChange({ processes, streams, pace, messageMs, downloadMs, rate, serviceTimes, random }) {
  const idleAt = new Float64Array(processes)
  const work = new Float64Array(60_000)
  const agenda = new Agenda()
  const own = Math.ceil(streams / processes)
  for (let process = 0; process < processes; process++) {
    for (let message = 0; message < own; message++) {
      const late = Math.max(0, message - pace.burst) / pace.perMillisecond
      agenda.add({ at: late, process, kind: 'message' })
    }
  }
  let next = pauseUntilNext(rate, random)
  const latencies = new Histogram()
  let [notified, downloaded] = [0, 0]
  for (let left = 2 * own * processes; left > 0; ) {
    const item = next < agenda.next ? { at: next, process: random.below(processes), kind: 'request' } : agenda.take()
    if (item.kind === 'request') next += pauseUntilNext(rate, random)
    else left--
    const took = { message: messageMs, download: downloadMs, request: serviceTimes.next(random) }[item.kind]
    const end = Math.max(item.at, idleAt[item.process]) + took
    idleAt[item.process] = end
    work[Math.floor(item.at / 1000)] += took
    if (item.kind === 'request') latencies.add(end - item.at)
    if (item.kind === 'download') downloaded = end
    if (item.kind !== 'message') continue
    notified = end
    agenda.add({ at: end + 20 + 180 * random.next(), process: random.below(processes), kind: 'download' })
  }
  return { notified, downloaded, busy: Math.max(...work) / (1000 * processes), p99: latencies.quantile(0.99) }
}

/**
 * Simulates events that wait at edge nodes while the database is unavailable for some seconds, in steps of a second.
 *
 * @param rate events per second; `capacity` is what servers and database store.
 */
export function simulateOutage({ rate, capacity, seconds, nodes, bytes, queueBytes }) {
  const limit = (nodes * queueBytes) / bytes
  let [waiting, most, lost, second] = [0, 0, 0, 0]
  for (; second < seconds || waiting > 0; second++) {
    waiting += rate - (second < seconds ? 0 : Math.min(capacity, waiting + rate))
    lost += Math.max(0, waiting - limit)
    waiting = Math.min(waiting, limit)
    most = Math.max(most, waiting)
    if (second > MAX_SECONDS) break
  }
  return { megabytes: (most * bytes) / nodes / 2 ** 20, lost: lost / (rate * seconds), drained: second - seconds }
}

/** A week: longer than any outage that matters. */
const MAX_SECONDS = 604_800

/**
 * Nodes whose processes each serve requests in order of arrival, one at a time, as Node.js does. Times are in
 * milliseconds. Requests must be given in order of time; each goes to a random process of a node that is believed to
 * work.
 */
export class Fleet {
  #idleAt
  #processes
  #failsAt
  #targets
  #random
  constructor(nodes, processes, random) {
    this.#idleAt = new Float64Array(nodes * processes)
    this.#failsAt = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY)
    this.#targets = Array.from({ length: nodes }, (_, node) => node)
    this.#processes = processes
    this.#random = random
  }

  /** Lets nodes fail at a moment, which must be known before; requests are sent to them until `evict`. */
  fail(nodes, at) {
    for (let node = 0; node < nodes; node++) this.#failsAt[node] = at
  }

  /** Sends nothing more to the nodes that have failed. */
  evict(at) {
    this.#targets = this.#targets.filter((node) => this.#failsAt[node] > at)
  }

  /** Serves a request. Returns when its response is sent; undefined if it is lost. */
  serve(at, duration) {
    const node = this.#targets[this.#random.below(this.#targets.length)]
    if (node === undefined) return undefined
    const process = node * this.#processes + this.#random.below(this.#processes)
    const end = Math.max(at, this.#idleAt[process]) + duration
    if (end > this.#failsAt[node]) return undefined
    this.#idleAt[process] = end
    return end
  }
}

/** Quantiles of many durations, exact to 2%. */
export class Histogram {
  #counts = new Float64Array(2_000)
  #count = 0
  #sum = 0
  max = 0

  add(duration) {
    this.#counts[Math.max(0, Math.ceil(Math.log(duration / LEAST) / STEP))]++
    this.#count++
    this.#sum += duration
    if (duration > this.max) this.max = duration
  }

  get mean() {
    return this.#sum / this.#count
  }

  quantile(share) {
    let left = this.#count * share
    const index = this.#counts.findIndex((count) => {
      left -= count
      return left <= 0 && count > 0
    })
    return LEAST * Math.exp(index * STEP)
  }
}

/** The lower end of the histogram, in milliseconds. */
const LEAST = 1e-4
const STEP = Math.log(1.02)

/** Events in order of time (a binary heap). */
export class Agenda {
  #items = []

  get next() {
    return this.#items[0]?.at ?? Number.POSITIVE_INFINITY
  }

  add(item) {
    const items = this.#items
    let index = items.push(item) - 1
    for (let parent = (index - 1) >> 1; index > 0 && items[parent].at > item.at; parent = (index - 1) >> 1) {
      items[index] = items[parent]
      index = parent
    }
    items[index] = item
  }

  take() {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length === 0) return first
    let index = 0
    for (let child = 1; child < items.length; child = 2 * index + 1) {
      if (child + 1 < items.length && items[child + 1].at < items[child].at) child++
      if (items[child].at >= last.at) break
      items[index] = items[child]
      index = child
    }
    items[index] = last
    return first
  }
}

/** Returns a random duration until the next event of a Poisson process with this rate. */
export function pauseUntilNext(rate, random) {
  return -Math.log(1 - random.next()) / rate
}

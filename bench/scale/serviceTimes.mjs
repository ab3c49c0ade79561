/**
 * Times of requests: most differ by the measured `spread`, and one of `collection.requests` is interrupted by a garbage
 * collection, while the others wait. In a server, collections are more regular than these.
 *
 * @param mean milliseconds of a request, with its share of the collections.
 */
export class ServiceTimes {
  #spread
  #collection
  #own
  constructor(mean, { spread, collection }) {
    this.#spread = spread
    this.#collection = collection
    this.#own = mean - collection.ms / collection.requests
  }

  /** Returns the milliseconds of a random request. */
  next(random) {
    const { requests, ms } = this.#collection
    return this.#own * random.one(this.#spread) + (random.chance(1 / requests) ? ms : 0)
  }

  /** Returns the mean of a power of the time, the first or the second. */
  moment(power) {
    const { requests, ms } = this.#collection
    const own = this.#spread.map((multiple) => this.#own * multiple)
    const mean = (times) => times.reduce((sum, time) => sum + time ** power, 0) / times.length
    return (1 - 1 / requests) * mean(own) + mean(own.map((time) => time + ms)) / requests
  }
}

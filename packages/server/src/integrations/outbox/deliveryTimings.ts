/** How fast deliveries go about things, in milliseconds. */
export interface DeliveryTimings {
  /** From one look at the clock to the next. */
  readonly pollMs: number
  /** From one emptying of the outbox to the next: each writes the whole document. */
  readonly flushMs: number
  /** How long a store that refuses writes is left alone. */
  readonly storeRetryMs: number
  /** How long attempts under way are waited for in the end. */
  readonly graceMs: number
}

/** The pace of a server. */
export const deliveryTimings: DeliveryTimings = { pollMs: 250, flushMs: 2000, storeRetryMs: 2000, graceMs: 1000 }

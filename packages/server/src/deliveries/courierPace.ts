/** How fast deliveries go about things, in milliseconds. */
export interface CourierPace {
  /** From one look at the clock to the next. */
  readonly lookMs: number
  /** From one emptying of the outbox to the next: each writes the whole document. */
  readonly emptyMs: number
  /** How long a store that refuses writes is left alone. */
  readonly storeRetryMs: number
  /** How long attempts under way are waited for in the end. */
  readonly graceMs: number
}

/** The pace of a server. */
export const courierPace: CourierPace = { lookMs: 250, emptyMs: 2000, storeRetryMs: 2000, graceMs: 1000 }

/** One difference. */
export interface Change extends Location {
  /** The target exists already, and is served from now on. */
  readonly isServedNow?: true
  /** The value before; absent for an addition. */
  readonly from?: unknown
  /** The value after; absent for a removal. */
  readonly to?: unknown
  /** `from` and `to` in words; as JSON if absent. */
  readonly fromText?: string
  readonly toText?: string
}

/** The location of a difference. */
export interface Location {
  /** The path in the data, for example `configurations.production.status`. */
  readonly path: string
  /** The same in words, without the environment, for example `target 1 "All users" › serves`. */
  readonly label?: string
  /** The key of the environment; absent for parts that all environments share. */
  readonly environment?: string
}

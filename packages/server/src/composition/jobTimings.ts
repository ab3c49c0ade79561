/** Intervals of background jobs, in milliseconds. */
export interface JobTimings {
  /** How often time-based jobs check the clock. Default: 250 for scheduled changes, 500 for the daily scan. */
  readonly clockMs?: number
  /** How often the head of the audit log is anchored. Default: an hour. */
  readonly anchorMs?: number
}

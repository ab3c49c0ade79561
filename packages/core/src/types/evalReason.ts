/** The reason for a value. */
export interface EvalReason {
  /**
   * `TARGETING_MATCH`: a target with one variation and no rollout. `SPLIT`: a target with several variations or a
   * rollout. `OVERRIDE`: an override.
   */
  readonly reason: 'TARGETING_MATCH' | 'SPLIT' | 'OVERRIDE'
  /** The filters that matched, for display, such as `Random Distribution | Email AND Country`. */
  readonly details: string
  /** The id of the target. Absent for an override. */
  readonly target_id?: string
}

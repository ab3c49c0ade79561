/** Why a user got a value. */
export interface EvalReason {
  /** `TARGETING_MATCH`: a target that serves one variation to everybody it matches. `SPLIT`: one with several variations or a rollout. `OVERRIDE`: whatever the rules say. */
  readonly reason: 'TARGETING_MATCH' | 'SPLIT' | 'OVERRIDE'
  /** The filters that decided, for people: `Random Distribution | Email AND Country`. */
  readonly details: string
  /** Id of the target that was chosen; an override has none. */
  readonly target_id?: string
}

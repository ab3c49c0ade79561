/** Why a user got a value. `TARGETING_MATCH`, `SPLIT` and `OVERRIDE` come from evaluation, `DEFAULT` from whoever falls back. */
export interface EvalReason {
  readonly reason: 'TARGETING_MATCH' | 'SPLIT' | 'OVERRIDE' | 'DEFAULT' | 'STATIC' | 'OPT_IN' | 'DISABLED' | 'ERROR'
  /** The filters that decided, for people: `Random Distribution | Email AND Country`. */
  readonly details?: string
  /** Id of the target that was chosen. */
  readonly target_id?: string
}

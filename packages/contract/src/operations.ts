import { evaluateFeatures, evaluateVariable, evaluateVariables, track } from './operations/bucketing.ts'
import { updateEdgeUser } from './operations/edge.ts'
import { ofrepEvaluateFlag, ofrepEvaluateFlags } from './operations/ofrep.ts'
import { getOptInConfig, updateOptIns } from './operations/optIn.ts'

/** Everything the API can do, by id of the operation, in the order of the specification. */
export const operations = {
  evaluateVariable,
  evaluateVariables,
  evaluateFeatures,
  track,
  updateEdgeUser,
  getOptInConfig,
  updateOptIns,
  ofrepEvaluateFlag,
  ofrepEvaluateFlags
} as const

/** The type of each operation's record, by id. */
export type Operations = typeof operations

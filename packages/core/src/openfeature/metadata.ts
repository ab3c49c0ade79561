import { isRecord } from '../isRecord.ts'
import type { EvalReason } from '../types/evalReason.ts'
import type { Metadata, Variable } from '../types/variable.ts'
import { isScalar } from './isScalar.ts'

/** The names in flag metadata by which evaluation says where a value comes from. No variable's own metadata has them. */
export const evaluationMetadata = ['_feature', 'evalReasonDetails', 'evalReasonTargetId'] as const

/** Where a value comes from, as flag metadata says it. */
export function toMetadata(
  feature: string,
  { details, target_id }: EvalReason
): Partial<Record<(typeof evaluationMetadata)[number], string>> {
  return {
    _feature: feature,
    ...(details ? { evalReasonDetails: details } : {}),
    ...(target_id ? { evalReasonTargetId: target_id } : {})
  }
}

/** The variable's own metadata, of which only flat members count. Undefined when there are none. */
export function ownMetadata(variable: Variable | undefined): Metadata | undefined {
  const { metadata } = variable ?? {}
  if (!isRecord(metadata)) return undefined
  const members = Object.entries(metadata).filter((entry): entry is [string, string | number | boolean] => {
    return isScalar(entry[1]) && !taken.includes(entry[0])
  })
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

const taken: readonly string[] = evaluationMetadata

import { isRecord, isScalar } from '../json/typeGuards.ts'
import type { EvalReason } from '../types/evalReason.ts'
import type { Metadata, Variable } from '../types/variable.ts'

/** The keys of flag metadata that evaluation sets. Variables cannot use them for metadata of their own. */
export const evaluationMetadata = ['_feature', 'evalReasonDetails', 'evalReasonTargetId'] as const

/** Returns the metadata about the origin of a value: the feature, the target and the filters. */
export function originMetadata(
  feature: string,
  { details, target_id }: EvalReason
): Partial<Record<(typeof evaluationMetadata)[number], string>> {
  return {
    _feature: feature,
    ...(details ? { evalReasonDetails: details } : {}),
    ...(target_id ? { evalReasonTargetId: target_id } : {})
  }
}

/** Returns the variable's own metadata, scalar values only, or undefined if there is none. */
export function variableMetadata(variable: Variable | undefined): Metadata | undefined {
  const { metadata } = variable ?? {}
  if (!isRecord(metadata)) return undefined
  const entries = Object.entries(metadata).filter((entry): entry is [string, string | number | boolean] => {
    return isScalar(entry[1]) && !reservedKeys.includes(entry[0])
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

const reservedKeys: readonly string[] = evaluationMetadata

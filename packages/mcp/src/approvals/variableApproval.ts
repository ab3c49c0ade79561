import type { Call } from '../api/call.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'
import { needsApproval } from './changeRequest.ts'

/**
 * Changes a variable. Change requests exist only for features.
 * @throws {ToolError} when the variable's feature requires approval; the message says how to request it.
 */
export async function withVariableApproval<T>(
  change: () => Promise<T>,
  featureOf: () => Promise<string | undefined>,
  { client, project }: Call
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const reference = needsApproval(error) ? await featureOf() : undefined
    if (reference === undefined) throw error
    const { key } = await client.getFeature({ params: { project: project(), feature: reference } })
    throw variableApprovalError(key, { cause: error })
  }
}

/** Creates the error that explains how to request a change of a feature's variables. */
export function variableApprovalError(feature: string, options?: ErrorOptions): ToolError {
  const advice = 'call update_feature with all of its variables, which becomes a change request'
  return new ToolError(
    'PERMISSION_ERROR',
    `changes of feature ${formatQuoted(feature)} require approval: ${advice}`,
    options
  )
}

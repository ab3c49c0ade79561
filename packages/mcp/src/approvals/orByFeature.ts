import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { quoted } from '../quoted.ts'
import { needsApproval } from './requested.ts'

/**
 * What a change of a variable answers. No change request wraps one: where the feature that carries it takes approvals, it is
 * to be changed by way of the feature.
 * @throws {ToolError} that says so.
 */
export async function orByFeature<T>(
  change: () => Promise<T>,
  carrier: () => Promise<string | undefined>,
  { client, project }: Call
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const reference = needsApproval(error) ? await carrier() : undefined
    if (reference === undefined) throw error
    const { key } = await client.getFeature({ params: { project: project(), feature: reference } })
    throw changedByFeature(key, { cause: error })
  }
}

/** Says how the variables of a feature are changed where that takes an approval. */
export function changedByFeature(feature: string, options?: ErrorOptions): ToolError {
  const how = 'call update_feature for it with all of its variables as they should be, and it becomes a change request'
  return new ToolError('PERMISSION_ERROR', `changes of feature ${quoted(feature)} need approval: ${how}`, options)
}

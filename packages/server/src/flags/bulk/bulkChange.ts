import { operations } from '@burgee/contract'
import type { UpdateFeature, UpdateFeatures } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { getInProject, getProject } from '../../access/lookup.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { killFeature } from '../features/killFeature.ts'
import { featureCommands } from '../features/rules/featureCommands.ts'
import { updateFeature } from '../features/updateFeature.ts'
import type { ItemChange } from './changeItem.ts'

/** One item of a change of several features, as references of the request. */
export interface BulkItemRequest {
  readonly project: string
  readonly feature: string
  readonly update: UpdateFeatures
}

/** Finds the change of one feature. @throws {HttpError} 400 or 404 */
export async function toItemChange(
  { store, caller }: Edit,
  request: BulkItemRequest,
  validate: ParseBody
): Promise<ItemChange> {
  const { update } = request
  const project = await getProject(store, request.project, caller)
  const feature = await getInProject(store, 'features', project, request.feature, caller)
  const name = `feature "${feature.key}"`

  const toUpdate = (unchecked: UpdateFeature, description: string): ItemChange => {
    const body = validate(operations.updateFeature.body, unchecked)
    return {
      project,
      feature,
      run: (edit) => updateFeature(edit, project, feature._id, featureCommands.updateFeature(body)),
      // Bodies of requests are JSON.
      requested: { operation: 'featureUpdate', body: { ...body } as never, description }
    }
  }

  switch (update.action) {
    case 'addTags':
      return toUpdate(
        { tags: [...new Set([...feature.tags, ...update.tags])] },
        `Adds ${formatTags(update.tags)} to ${name}.`
      )
    case 'removeTags':
      return toUpdate(
        { tags: feature.tags.filter((tag) => !update.tags.includes(tag)) },
        `Removes ${formatTags(update.tags)} from ${name}.`
      )
    case 'enable':
    case 'disable': {
      const { _id, key } = await getInProject(store, 'environments', project, update.environment, caller)
      const status = update.action === 'enable' ? 'active' : 'inactive'
      const word = update.action === 'enable' ? 'on' : 'off'
      return toUpdate({ configurations: { [_id]: { status } } }, `Turns ${name} ${word} in environment "${key}".`)
    }
    case 'archive': {
      const body = { status: 'archived' as const }
      return {
        project,
        feature,
        run: (edit) => updateFeature(edit, project, feature._id, featureCommands.updateFeatureStatus(body)),
        requested: { operation: 'featureStatusUpdate', body, description: `Archives ${name}.` }
      }
    }
    case 'kill':
      return { project, feature, run: (edit) => killFeature(edit, { project, feature, reason: update.reason }) }
  }
}

function formatTags(tags: readonly string[]): string {
  return `${tags.length > 1 ? 'tags' : 'tag'} ${tags.map((tag) => `"${tag}"`).join(', ')}`
}

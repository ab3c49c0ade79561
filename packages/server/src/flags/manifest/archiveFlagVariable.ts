import { isProtected } from '@burgee/contract/schemas'
import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { conflict } from '../../lib/errors.ts'
import type { StoredVariable } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { readFeatureState } from '../features/readFeatureState.ts'
import { featureCommands } from '../features/rules/featureCommands.ts'
import { updateFeature } from '../features/updateFeature.ts'
import type { FlagVariable } from './flagVariable.ts'

/**
 * Archives a variable, together with its feature, if it has one.
 * @throws {HttpError} 409 if the feature has other variables, or is active in a protected environment.
 */
export async function archiveFlagVariable(
  change: Edit,
  project: StoredProject,
  { variable, feature }: FlagVariable
): Promise<StoredVariable> {
  if (!feature) {
    const archived = { ...variable, status: 'archived', updatedAt: change.at } as const
    change.recordChanges({ _project: variable._project }, modifiedChanges('Variable', variable, archived))
    await change.store.collection('variables').update(variable._id, archived)
    return archived
  }
  const { configurations, variables } = await readFeatureState(change.store, feature)
  if (variables.length > 1) {
    const others = variables.filter(({ _id }) => _id !== variable._id).map(({ key }) => key)
    throw conflict(
      `Flag "${variable.key}" belongs to feature "${feature.key}" with ${others.join(', ')}: remove it from the feature, or archive the feature.`
    )
  }
  const { items } = await change.store.collection('environments').list({ where: { _project: project._id } })
  const active = new Set(configurations.filter(({ status }) => status === 'active').map((one) => one._environment))
  const serving = items.filter((environment) => isProtected(environment) && active.has(environment._id))
  if (serving.length > 0) {
    const names = serving.map(({ key }) => key).join(', ')
    throw conflict(`Flag is active in a protected environment (${names}). Disable it before archiving.`)
  }
  const command = featureCommands.updateFeatureStatus({ status: 'archived' })
  const { state } = await updateFeature(change, project, feature._id, command)
  return state.variables.find(({ _id }) => _id === variable._id) ?? variable
}

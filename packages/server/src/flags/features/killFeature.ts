import type { Edit } from '../../access/audit/edit.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { listEnvironments } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { UpdatedFeature } from './updateFeature.ts'
import { writeFeature } from './writeFeature.ts'

/**
 * Switches a feature off in every environment, regardless of its status. Needs no approval and ignores open change
 * requests.
 */
export async function killFeature(
  edit: Edit,
  { project, feature }: { readonly project: StoredProject; readonly feature: StoredFeature }
): Promise<UpdatedFeature> {
  const { store, caller } = edit
  const environments = await listEnvironments(store, project)
  const before = await readFeatureState(store, feature)
  const configurations = before.configurations.map((each) => ({ ...each, status: 'inactive' as const }))
  const change = { before, after: { ...before, configurations }, environments }
  const state = await writeFeature(edit, change, { project, approval: 'exempt' })
  const revision = await edit.readFeatureRevision(feature._id)
  return { project, caller, state, revision, environments }
}

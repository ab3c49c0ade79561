import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { listEnvironments } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import type { UpdatedFeature } from './updateFeature.ts'
import { writeFeature } from './writeFeature.ts'

/** A feature to turn off, with the reason for the audit log. */
interface Kill {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly reason?: string | undefined
}

/**
 * Turns a feature off in every environment, regardless of its status, and records the kill. Needs no approval and
 * ignores open change requests. Changes and records nothing if the feature is already off.
 */
export async function killFeature(edit: Edit, { project, feature, reason }: Kill): Promise<UpdatedFeature> {
  const { store, caller } = edit
  const environments = await listEnvironments(store, project)
  const before = await readFeatureState(store, feature)
  const active = before.configurations.filter(({ status }) => status === 'active')
  const configurations = before.configurations.map((each) =>
    each.status === 'active' ? { ...each, status: 'inactive' as const, killedAt: edit.at } : each
  )
  if (active.length > 0) {
    edit.recordChanges({ _project: project._id, _feature: feature._id }, [
      {
        type: 'killedFeature',
        newContents: omitUndefined({ reason }),
        previousContents: null,
        _environments: active.map(({ _environment }) => _environment)
      }
    ])
  }
  const change = { before, after: { ...before, configurations }, environments }
  const state = await writeFeature(edit, change, { project, approval: 'exempt' })
  const revision = await edit.readFeatureRevision(feature._id)
  return { project, caller, state, revision, environments }
}

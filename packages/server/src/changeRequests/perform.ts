import { operations } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { readContext } from '../features/context.ts'
import { type FeatureState, readFeature } from '../features/featureState.ts'
import { saveFeature } from '../features/save.ts'
import { updateStaticConfiguration } from '../features/staticConfiguration.ts'
import { changeStatus } from '../features/status.ts'
import { updateFeature } from '../features/update.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'
import type { Validate } from '../validate.ts'

/** What a change request asks for, and of which feature. */
export interface Asked extends Pick<StoredChangeRequest, 'operation' | 'body'> {
  readonly project: StoredProject
  readonly feature: StoredFeature
}

/** Makes the change that a change request wraps: the one that the operation itself would make of the feature as it is. */
export async function perform(edit: Edit, asked: Asked, validate: Validate): Promise<void> {
  const before = await readFeature(edit.store, asked.feature)
  const approved = withApproval(edit)
  await saveFeature(approved, before, await changed(approved, before, asked, validate))
}

/** Who may ask for a change and who may make it is the change request's to say: with approval, it takes no right to publish. */
function withApproval(edit: Edit): Edit {
  const permissions = new Set([...edit.caller.permissions, 'feature:publish'] as const)
  return { ...edit, caller: { ...edit.caller, permissions } }
}

async function changed(
  edit: Edit,
  state: FeatureState,
  { operation, body, project }: Asked,
  validate: Validate
): Promise<FeatureState> {
  switch (operation) {
    case 'featureUpdate': {
      const said = validate(operations.updateFeature.body, body)
      return updateFeature(state, said, await readContext(edit, project, said))
    }
    case 'featureStatusUpdate':
      return changeStatus(state, validate(operations.updateFeatureStatus.body, body), await readContext(edit, project))
    case 'featureStaticConfigurationUpdate': {
      const said = validate(operations.updateStaticConfiguration.body, body)
      return updateStaticConfiguration(state, said, await readContext(edit, project))
    }
  }
}

import type { Edit } from '../../access/audit/edit.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { findLock } from '../approvals/lock.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import { syncOptInTargets } from './rules/targeting/syncOptInTargets.ts'
import { writeFeature } from './writeFeature.ts'

/** Adds opt-in targets to the features of a project that has just allowed opt-in. */
export async function addOptInTargets(edit: Edit, project: StoredProject): Promise<void> {
  const where = { _project: project._id, status: 'active' } as const
  const { items } = await edit.store.collection('features').list({ where })
  const context = await readFeatureContext(edit, project)
  for (const feature of items.filter(({ settings }) => settings.optInEnabled)) {
    // New targets would make the open request outdated. The next update of the feature adds them, for example that
    // request.
    if (await findLock(edit.store, project, feature)) continue
    const before = await readFeatureState(edit.store, feature)
    const change = { before, after: syncOptInTargets(before, before, context), environments: context.environments }
    await writeFeature(edit, change, { project, approval: 'exempt' })
  }
}

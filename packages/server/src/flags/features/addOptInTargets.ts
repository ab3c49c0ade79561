import type { Edit } from '../../access/audit/edit.ts'
import type { StoredProject } from '../../storage/resources.ts'
import { findLock } from '../approvals/lock.ts'
import { readFeatureContext } from './readFeatureContext.ts'
import { readFeatureState } from './readFeatureState.ts'
import { syncOptInTargets } from './rules/targeting/syncOptInTargets.ts'
import { writeFeature } from './writeFeature.ts'

/** Once a project lets users opt in: its features that are open to them get their targets. */
export async function addOptInTargets(edit: Edit, project: StoredProject): Promise<void> {
  const where = { _project: project._id, status: 'active' } as const
  const { items } = await edit.store.collection('features').list({ where })
  const context = await readFeatureContext(edit, project)
  for (const feature of items.filter(({ settings }) => settings.optInEnabled)) {
    // Its change request could not be applied any more. It gets its targets when it is next updated: by that request, say, once it is rebased.
    if (await findLock(edit.store, project, feature)) continue
    const before = await readFeatureState(edit.store, feature)
    const change = { before, after: syncOptInTargets(before, before, context), environments: context.environments }
    await writeFeature(edit, change, { project, approval: 'exempt' })
  }
}

import { lockOf } from '../approval/guard.ts'
import type { Edit } from '../audit/edit.ts'
import type { StoredProject } from '../store/resources.ts'
import { readContext } from './readContext.ts'
import { readFeature } from './readFeature.ts'
import { followOptIn } from './rules/optIn.ts'
import { saveFeature } from './save.ts'

/** Once a project lets users opt in: its features that are open to them get their targets. */
export async function openOptIns(edit: Edit, project: StoredProject): Promise<void> {
  const where = { _project: project._id, status: 'active' } as const
  const { items } = await edit.store.collection('features').list({ where })
  const context = await readContext(edit, project)
  for (const feature of items.filter(({ settings }) => settings.optInEnabled)) {
    // Its change request could not be applied any more. It gets its targets when it is next updated: by that request, say, once it is rebased.
    if (await lockOf(edit.store, project, feature)) continue
    const state = await readFeature(edit.store, feature)
    await saveFeature(edit, state, followOptIn(state, state, context))
  }
}

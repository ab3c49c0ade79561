import type { ChangeItem } from '@burgee/contract/schemas'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { type BulkItemRequest, toItemChange } from '../../../flags/bulk/bulkChange.ts'
import { applyChange, catchRefusal, planChange } from '../../../flags/bulk/changeItem.ts'
import { readSnapshotId } from '../../../flags/changeRequests/featureSnapshot.ts'
import { takeTurn } from '../../../lib/time.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
}

/** Handles changes of several features. */
export function bulkUpdates({ store, edit, validate }: Dependencies): Pick<Handlers, 'updateFeatures'> {
  const updateItem = (caller: TokenCaller, request: BulkItemRequest): Promise<ChangeItem> =>
    edit(caller, async (part) => {
      const change = await toItemChange(part, request, validate)
      const planned = await planChange(part, change, validate)
      const { key: feature } = change.feature
      const item = { feature, ...planned, revision: await readSnapshotId(part.store, change.feature) }
      if (request.update.dryRun) return item
      return { ...item, ...(await applyChange(part, change, { planned, validate })) }
    })

  return {
    updateFeatures: async ({ params, body: update }, caller) => {
      const project = await getProject(store, params.project, caller)
      if ('environment' in update) await getInProject(store, 'environments', project, update.environment, caller)
      const items: ChangeItem[] = []
      // Repeated features count once.
      for (const feature of new Set(update.features)) {
        // Each item reads and compares a whole feature; evaluations must not wait for all of them.
        await takeTurn()
        const request = { project: project.key, feature, update }
        items.push(
          await catchRefusal(
            () => updateItem(caller, request),
            (refusal) => ({ feature, ...refusal })
          )
        )
      }
      return { items }
    }
  }
}

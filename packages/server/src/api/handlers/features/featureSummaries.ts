import { DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { getProject } from '../../../access/lookup.ts'
import { listFeatureSummaries } from '../../../flags/summaries/listFeatureSummaries.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly inspect: InspectProject
}

/** Handles summaries of features. */
export function featureSummaries({ store, inspect }: Dependencies): Pick<Handlers, 'listFeatureSummaries'> {
  return {
    listFeatureSummaries: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { type, status, tags, updatedSince, perPage = DEFAULT_PER_PAGE, ...paging } = query
      const where = { _project: project._id, ...omitUndefined({ type, status }) }
      const listQuery = {
        ...toListQuery<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description']),
        ...(updatedSince === undefined ? {} : { between: updatedFrom(updatedSince) }),
        perPage
      }
      const wanted = [tags ?? []].flat().flatMap((tag) => tag.split(','))
      return listFeatureSummaries({ store, project, inspector: await inspect(store, project) }, listQuery, wanted)
    }
  }
}

function updatedFrom(moment: string): { readonly member: 'updatedAt'; readonly from: string } {
  return { member: 'updatedAt', from: toIsoString(Date.parse(moment)) }
}

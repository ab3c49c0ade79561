import type { EvaluationsQuery } from '@burgee/contract/schemas'
import { getInProject, getProject, listEnvironmentIds } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import {
  type Computed,
  toFeatureEvaluations,
  toProjectEvaluations,
  totalCount
} from '../../../insights/results/evaluationResults.ts'
import { parseEvaluationsRange } from '../../../insights/results/parseRange.ts'
import { type TimeBucket, timeBuckets } from '../../../insights/results/timeBuckets.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { EventStore, UsersQuery } from '../../../storage/events/eventStore.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'evaluations' | 'users'>
  readonly recorder: Pick<EventRecorder, 'flush'>
  readonly now: () => number
}

type Operations = 'getFeatureTotalEvaluations' | 'getProjectEvaluations' | 'getProjectTotalEvaluations'

/** Handlers of evaluation counts: evaluations, and users, per period. */
export function results({ store, eventStore, recorder, now }: Dependencies): Pick<Handlers, Operations> {
  /**
   * Parses the parameters of a request, and flushes the recorder so that the event store has all evaluations until now.
   */
  const read = async (project: StoredProject, query: EvaluationsQuery, caller: TokenCaller): Promise<ParsedRequest> => {
    const environments = await listEnvironmentIds(store, project, query.environment, caller)
    const at = now()
    const buckets = timeBuckets(parseEvaluationsRange(query, at), query.period ?? 'hour')
    await recorder.flush()
    const periods = buckets.map(({ range }) => range)
    const isPooled = query.environment === undefined && environments.length > 1
    const computed = { updatedAt: toIsoString(at), ...(isPooled ? ({ isPooled } as const) : {}) }
    return { buckets, computed, usersQuery: { environments, periods, sdkType: query.sdkType } }
  }

  const keyOfVariable = async (project: StoredProject, { _id, key }: StoredFeature, reference: string) => {
    const variable = await getInProject(store, 'variables', project, reference)
    if (variable._feature !== _id) throw itemNotFound('variable', reference, { within: `feature "${key}"` })
    return variable.key
  }

  return {
    getFeatureTotalEvaluations: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const feature = await getInProject(store, 'features', project, params.feature, caller)
      const variable = query.variable && (await keyOfVariable(project, feature, query.variable))
      const { buckets, computed, usersQuery } = await read(project, query, caller)
      const { platform } = query
      const counts = await eventStore.evaluations({ ...usersQuery, feature: feature._id, variable, platform })
      return toFeatureEvaluations(feature, buckets, counts, computed)
    },

    getProjectEvaluations: async ({ params, query }, caller) => {
      const { buckets, computed, usersQuery } = await read(
        await getProject(store, params.project, caller),
        query,
        caller
      )
      return toProjectEvaluations(buckets, await eventStore.users(usersQuery), computed)
    },

    getProjectTotalEvaluations: async ({ params, query }, caller) => {
      const { buckets, computed, usersQuery } = await read(
        await getProject(store, params.project, caller),
        query,
        caller
      )
      return toProjectEvaluations(buckets, (await eventStore.evaluations(usersQuery)).map(totalCount), computed)
    }
  }
}

/** The parameters of a request. */
interface ParsedRequest {
  readonly buckets: readonly TimeBucket[]
  readonly usersQuery: UsersQuery
  readonly computed: Computed
}

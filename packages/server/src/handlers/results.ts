import type { EvaluationsQuery } from '@burgee/contract'
import { itemNotFound } from '../errors.ts'
import type { EventStore, UsersQuery } from '../eventStore/eventStore.ts'
import type { Recorder } from '../events/recorder.ts'
import { environmentIds, findIn, findProject } from '../find.ts'
import { inUtc } from '../inUtc.ts'
import { type Bucket, partsOf } from '../results/buckets.ts'
import { featureEvaluations, projectEvaluations, total } from '../results/evaluationResults.ts'
import { evaluationsRange } from '../results/range.ts'
import type { StoredFeature, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'evaluations' | 'users'>
  readonly recorder: Pick<Recorder, 'flush'>
  readonly now: () => number
}

type Operations = 'getFeatureTotalEvaluations' | 'getProjectEvaluations' | 'getProjectTotalEvaluations'

/** Tells how often, and for how many users, variables were evaluated. */
export function results({ store, eventStore, recorder, now }: Dependencies): Pick<Handlers, Operations> {
  /** What a request asks for, and the moment of the answer: everything that was evaluated until then is in the event store. */
  const read = async (project: StoredProject, query: EvaluationsQuery): Promise<Asked> => {
    const environments = await environmentIds(store, project, query.environment)
    const at = now()
    const buckets = partsOf(evaluationsRange(query, at), query.period ?? 'hour')
    await recorder.flush()
    const periods = buckets.map(({ part }) => part)
    return { buckets, at: inUtc(at), which: { environments, periods, sdkType: query.sdkType } }
  }

  const keyOfVariable = async (project: StoredProject, { _id, key }: StoredFeature, reference: string) => {
    const variable = await findIn(store, 'variables', project, reference)
    if (variable._feature !== _id) throw itemNotFound(reference, `feature "${key}"`)
    return variable.key
  }

  return {
    getFeatureTotalEvaluations: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const feature = await findIn(store, 'features', project, params.feature)
      const variable = query.variable && (await keyOfVariable(project, feature, query.variable))
      const { buckets, at, which } = await read(project, query)
      const { platform } = query
      const counts = await eventStore.evaluations({ ...which, feature: feature._id, variable, platform })
      return featureEvaluations(feature, buckets, counts, at)
    },

    getProjectEvaluations: async ({ params, query }, caller) => {
      const { buckets, at, which } = await read(await findProject(store, params.project, caller), query)
      return projectEvaluations(buckets, await eventStore.users(which), at)
    },

    getProjectTotalEvaluations: async ({ params, query }, caller) => {
      const { buckets, at, which } = await read(await findProject(store, params.project, caller), query)
      return projectEvaluations(buckets, (await eventStore.evaluations(which)).map(total), at)
    }
  }
}

/** What a request asks for. */
interface Asked {
  readonly buckets: readonly Bucket[]
  readonly which: UsersQuery
  /** The moment of the answer. */
  readonly at: string
}

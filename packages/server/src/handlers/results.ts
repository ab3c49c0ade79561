import type { EvaluationsQuery, ProjectEvaluations } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import { itemNotFound } from '../errors.ts'
import { findIn, findProject } from '../find.ts'
import { inUtc } from '../inUtc.ts'
import { bucketsOf } from '../results/buckets.ts'
import { featureEvaluations, projectEvaluations } from '../results/evaluationResults.ts'
import { evaluationsRange } from '../results/range.ts'
import type { StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly now: () => number
}

type Operations = 'getFeatureTotalEvaluations' | 'getProjectEvaluations' | 'getProjectTotalEvaluations'

/** Tells how often, and for how many users, variables were evaluated. */
export function results({ store, now }: Dependencies): Pick<Handlers, Operations> {
  /** The periods that a request asks for, and the moment of the answer. */
  const read = async (project: StoredProject, query: EvaluationsQuery) => {
    if (query.environment !== undefined) await findIn(store, 'environments', project, query.environment)
    const at = now()
    return { buckets: bucketsOf(evaluationsRange(query, at), query.period ?? 'hour'), at: inUtc(at) }
  }

  const ofProject = async (input: ProjectInput, caller: TokenCaller): Promise<ProjectEvaluations> => {
    const project = await findProject(store, input.params.project, caller)
    const { buckets, at } = await read(project, input.query)
    return projectEvaluations(buckets, at)
  }

  return {
    getFeatureTotalEvaluations: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const feature = await findIn(store, 'features', project, params.feature)
      if (query.variable !== undefined) {
        const variable = await findIn(store, 'variables', project, query.variable)
        if (variable._feature !== feature._id) throw itemNotFound(query.variable, `feature "${feature.key}"`)
      }
      const { buckets, at } = await read(project, query)
      return featureEvaluations(feature, buckets, at)
    },

    getProjectEvaluations: ofProject,

    getProjectTotalEvaluations: ofProject
  }
}

interface ProjectInput {
  readonly params: { readonly project: string }
  readonly query: EvaluationsQuery
}

import type { User as UserBody } from '@burgee/contract/schemas'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { Configs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { toEventEntry } from '../../../insights/ingestion/aggregateEvents.ts'
import { ingest } from '../../../insights/ingestion/ingest.ts'
import { createIngestContext, formatAccepted } from '../../../insights/ingestion/ingestRequest.ts'
import { badRequest, notFound } from '../../../lib/errors.ts'
import type { Handlers } from '../shared/handler.ts'
import { type EvaluationDependencies, resolveUser, toEvaluateOptions } from './resolveUser.ts'

interface Dependencies extends EvaluationDependencies {
  readonly recorder: Pick<EventRecorder, 'record' | 'append'>
  readonly validate: ParseBody
  readonly now: () => number
  readonly configs: Pick<Configs, 'current'>
  /** Receives the numbers of accepted and refused events. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Handlers of the bucketing API: evaluation of variables and features, and custom events. */
export function bucketing({
  recorder,
  validate,
  now,
  configs,
  onEvents,
  ...dependencies
}: Dependencies): Pick<Handlers, 'evaluateVariable' | 'evaluateVariables' | 'evaluateFeatures' | 'track'> {
  const resolve = (body: UserBody, caller: KeyConfig, enableEdgeDB?: boolean) =>
    resolveUser(body, caller, dependencies, enableEdgeDB)

  return {
    evaluateVariable: async ({ params, query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      const at = now()
      const resolution = caller.evaluator.resolve(user, params.key, toEvaluateOptions(user, caller, at))
      recorder.record({ caller, user: body, known: user, key: params.key, resolution, at })
      const environment = caller.environment.key
      switch (resolution.status) {
        case 'served':
          return resolution.variable
        case 'unserved':
          throw notFound(`variable "${params.key}" is not served to this user`)
        case 'disabled':
          throw notFound(`variable "${params.key}" is turned off in environment "${environment}"`)
        case 'unknown':
          throw notFound(`variable "${params.key}" does not exist`)
        case 'failed':
          throw notFound(`variable "${params.key}" could not be evaluated: ${resolution.problem.message}`)
      }
    },

    evaluateVariables: async ({ query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      return caller.evaluator.variables(user, toEvaluateOptions(user, caller, now()))
    },

    evaluateFeatures: async ({ query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      return caller.evaluator.features(user, toEvaluateOptions(user, caller, now()))
    },

    track: async ({ body, headers }, caller) => {
      const result = await ingest(
        [{ path: [], value: body }],
        createIngestContext(caller, { headers }, { validate, configs })
      )
      const { accepted, issues } = result
      if (issues.length > 0) {
        throw badRequest(issues.map(({ path, message }) => [...path, message].join('.')))
      }
      if (accepted > 0)
        await recorder.append(await toEventEntry(result, caller, { operation: 'track', sdkType: 'api', now }))
      onEvents(accepted, 0)
      return { message: formatAccepted(accepted) }
    }
  }
}

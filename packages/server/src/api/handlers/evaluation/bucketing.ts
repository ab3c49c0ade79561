import type { User as UserBody } from '@burgee/contract/schemas'
import type { BucketedVariable, Resolution } from '@burgee/core'
import { featuresText, variablesText } from '@burgee/core/text'
import { whenReady } from '@burgee/kit'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { Configs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { toEventEntry } from '../../../insights/ingestion/aggregateEvents.ts'
import { ingest } from '../../../insights/ingestion/ingest.ts'
import { createIngestContext, formatAccepted } from '../../../insights/ingestion/ingestRequest.ts'
import { badRequest, notFound } from '../../../lib/errors.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import type { Handlers } from '../shared/handler.ts'
import { JsonText } from '../shared/jsonText.ts'
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
    evaluateVariable: ({ params: { key }, query, body }, caller) =>
      whenReady(resolve(body, caller, query.enableEdgeDB), (user) => {
        const at = now()
        const resolution = caller.evaluator.resolve(user, key, toEvaluateOptions(user, caller, at))
        recorder.record({ caller, user: body, known: user, key, resolution, at })
        if (resolution.status === 'served') return textOf(resolution.variable)
        throw notFound(`variable "${key}" ${describeAbsence(resolution, caller)}`)
      }),

    evaluateVariables: ({ query, body }, caller) =>
      whenReady(
        resolve(body, caller, query.enableEdgeDB),
        (user) => new JsonText(variablesText(caller.evaluator, user, toEvaluateOptions(user, caller, now())))
      ),

    evaluateFeatures: ({ query, body }, caller) =>
      whenReady(
        resolve(body, caller, query.enableEdgeDB),
        (user) => new JsonText(featuresText(caller.evaluator, user, toEvaluateOptions(user, caller, now())))
      ),

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

/** Served variables are shared by all users who get the same. */
const textOf = memoizeByIdentity(
  (variable: BucketedVariable): JsonText<BucketedVariable> => new JsonText(JSON.stringify(variable))
)

function describeAbsence(resolution: Exclude<Resolution, { status: 'served' }>, { environment }: KeyConfig): string {
  switch (resolution.status) {
    case 'unserved':
      return 'is not served to this user'
    case 'disabled':
      return `is turned off in environment "${environment.key}"`
    case 'unknown':
      return 'does not exist'
    case 'failed':
      return `could not be evaluated: ${resolution.problem.message}`
  }
}

import type { User as UserBody } from '@burgee/contract'
import type { SdkCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import { invalid, notFound } from '../errors.ts'
import { arrivalOf } from '../events/arrival.ts'
import { entryOf } from '../events/entryOf.ts'
import { takeIn } from '../events/intake.ts'
import { receiptOf } from '../events/receipt.ts'
import type { Recorder } from '../events/recorder.ts'
import type { Store } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import type { Handlers } from './handler.ts'
import { optionsFor, resolveUser } from './user.ts'

interface Dependencies {
  readonly store: Store
  readonly recorder: Pick<Recorder, 'evaluated' | 'append'>
  readonly validate: Validate
  readonly now: () => number
  readonly configs: Pick<Configs, 'current'>
  /** Told how many events were accepted, and how many were not. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Evaluates for the users of an application, and takes in what they did. */
export function bucketing({
  store,
  recorder,
  validate,
  now,
  configs,
  onEvents
}: Dependencies): Pick<Handlers, 'evaluateVariable' | 'evaluateVariables' | 'evaluateFeatures' | 'track'> {
  const resolve = (body: UserBody, caller: SdkCaller, enableEdgeDB?: boolean) =>
    resolveUser(body, caller, store, enableEdgeDB)

  return {
    evaluateVariable: async ({ params, query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      const at = now()
      const resolution = caller.evaluator.resolve(user, params.key, optionsFor(user, caller, at))
      recorder.evaluated({ caller, user: body, key: params.key, resolution, at })
      const environment = caller.environment.key
      switch (resolution.status) {
        case 'served':
          return resolution.variable
        case 'unserved':
          throw notFound(`variable "${params.key}" is not served to this user`)
        case 'disabled':
          throw notFound(`variable "${params.key}" is switched off in environment "${environment}"`)
        case 'unknown':
          throw notFound(`variable "${params.key}" does not exist`)
        case 'failed':
          throw notFound(`variable "${params.key}" could not be decided: ${resolution.problem.message}`)
      }
    },

    evaluateVariables: async ({ query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      return caller.evaluator.variables(user, optionsFor(user, caller, now()))
    },

    evaluateFeatures: async ({ query, body }, caller) => {
      const user = await resolve(body, caller, query.enableEdgeDB)
      return caller.evaluator.features(user, optionsFor(user, caller, now()))
    },

    track: async ({ body, headers }, caller) => {
      const intake = await takeIn([{ path: [], said: body }], arrivalOf(caller, { headers }, { validate, configs }))
      const { accepted, mistakes } = intake
      if (mistakes.length > 0) {
        throw invalid(
          mistakes.map(({ path, message }) => [...path, message].join('.')),
          'invalid_body'
        )
      }
      if (accepted > 0)
        await recorder.append(entryOf(intake, caller, { operation: 'track', sdkType: 'api', at: now() }))
      onEvents(accepted, 0)
      return { message: receiptOf(accepted) }
    }
  }
}

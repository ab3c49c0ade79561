import type { User as UserBody } from '@burgee/contract'
import type { User } from '@burgee/core'
import type { SdkCaller } from '../caller.ts'
import { notFound } from '../errors.ts'
import type { EventLog } from '../events/eventLog.ts'
import { inUtc } from '../inUtc.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { joinEdgeUser, optionsFor, readUser, withOptIns } from './user.ts'

interface Dependencies {
  readonly store: Store
  readonly events: EventLog
  readonly now: () => number
  /** Told how many events were accepted. */
  readonly onEvents: (count: number) => void
}

/** Evaluates for the users of an application, and takes in what they did. */
export function bucketing({
  store,
  events,
  now,
  onEvents
}: Dependencies): Pick<Handlers, 'evaluateVariable' | 'evaluateVariables' | 'evaluateFeatures' | 'track'> {
  const resolveUser = async (body: UserBody, caller: SdkCaller, enableEdgeDB = false): Promise<User> => {
    const user = readUser(body)
    const isJoined = enableEdgeDB && caller.project.settings.edgeDB.enabled
    const kept = isJoined
      ? await store.collection('edgeUsers').get({ _project: caller.project._id, user_id: user.user_id })
      : undefined
    return withOptIns(joinEdgeUser(user, kept), caller, store)
  }

  return {
    evaluateVariable: async ({ params, query, body }, caller) => {
      const user = await resolveUser(body, caller, query.enableEdgeDB)
      const resolution = caller.evaluator.resolve(user, params.key, optionsFor(user, caller, now()))
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
      const user = await resolveUser(body, caller, query.enableEdgeDB)
      return caller.evaluator.variables(user, optionsFor(user, caller, now()))
    },

    evaluateFeatures: async ({ query, body }, caller) => {
      const user = await resolveUser(body, caller, query.enableEdgeDB)
      return caller.evaluator.features(user, optionsFor(user, caller, now()))
    },

    track: async ({ body }, caller) => {
      const { user_id, customData } = readUser(body.user)
      const receivedAt = inUtc(now())
      const environment = caller.environment._id
      const tracked = body.events.map(({ type, target, date, value, metaData }) => {
        return { environment, user: { user_id, customData }, type, target, date, value, metaData, receivedAt }
      })
      if (tracked.length > 0) await events.append(tracked)
      onEvents(tracked.length)
      return { message: `Successfully received ${tracked.length} ${tracked.length === 1 ? 'event' : 'events'}` }
    }
  }
}

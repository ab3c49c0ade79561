import { type ContextUser, ofrepFlags, toOfrepFlag, toUser } from '@burgee/core'
import type { SdkCaller } from '../caller.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Recorder } from '../events/recorder.ts'
import { demandObfuscation } from '../obfuscation/demandObfuscation.ts'
import type { Store } from '../store/store.ts'
import type { Announce } from '../streams/announce.ts'
import type { Handlers } from './handler.ts'
import { optionsFor, withOptIns } from './user.ts'

interface Dependencies {
  readonly store: Store
  readonly recorder: Pick<Recorder, 'evaluated'>
  readonly now: () => number
  /** Tells where clients are told of changes. */
  readonly announce: Announce
}

/** Evaluates for OpenFeature's clients. */
export function ofrep({
  store,
  recorder,
  now,
  announce
}: Dependencies): Pick<Handlers, 'ofrepEvaluateFlag' | 'ofrepEvaluateFlags'> {
  const resolveUser = async (context: unknown, caller: SdkCaller): Promise<ContextUser> => {
    // OFREP has no form for obfuscated names.
    demandObfuscation(caller, false)
    const { user, error } = toUser(context)
    if (error?.code === 'INVALID_CONTEXT') throw invalid(error.message, 'invalid_context')
    return { user: await withOptIns(user, caller, store), ...(error ? { error } : {}) }
  }

  return {
    ofrepEvaluateFlag: async ({ params, body }, caller) => {
      const user = await resolveUser(body.context, caller)
      const at = now()
      const resolution = caller.evaluator.resolve(user.user, params.key, optionsFor(user.user, caller, at))
      recorder.evaluated({ caller, user: user.user, key: params.key, resolution, at })
      const flag = toOfrepFlag(caller.evaluator, user, params.key, resolution)
      if (!('errorCode' in flag)) return flag
      switch (flag.errorCode) {
        case 'FLAG_NOT_FOUND':
          throw notFound(flag.errorDetails, 'flag_not_found')
        case 'TARGETING_KEY_MISSING':
          throw invalid(flag.errorDetails, 'targeting_key_missing')
        case 'PARSE_ERROR':
          throw new ApiError(400, 'evaluation_failed', flag.errorDetails)
      }
    },

    ofrepEvaluateFlags: async ({ body }, caller) => {
      const user = await resolveUser(body.context, caller)
      const { flags, fingerprint } = ofrepFlags(caller.evaluator, user, optionsFor(user.user, caller, now()))
      const { tag, ...announced } = await announce(caller)
      return { etag: `"${fingerprint}.${tag}"`, body: { flags, ...announced } }
    }
  }
}

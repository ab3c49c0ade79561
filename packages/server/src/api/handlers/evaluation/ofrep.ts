import { MAX_TEXT_LENGTH, MAX_VERSION_LENGTH } from '@burgee/contract/schemas'
import { type ContextUser, ofrepFlags, toOfrepFlag, toUser, type User } from '@burgee/core'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { assertObfuscation } from '../../../delivery/obfuscation/assertObfuscation.ts'
import type { AnnounceStream } from '../../../delivery/streams/streamAnnouncement.ts'
import type { ApplicationUsers } from '../../../flags/applicationUsers/applicationUsers.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../../insights/previews/sampleUsers.ts'
import type { Handlers } from '../shared/handler.ts'
import { OfrepHttpError } from './ofrepError.ts'
import { completeUser, toEvaluateOptions, withoutUserHash } from './resolveUser.ts'

interface Dependencies {
  readonly applicationUsers: Pick<ApplicationUsers, 'findChoices'>
  readonly sampleUsers: Pick<SampleUsers, 'record'>
  readonly recorder: Pick<EventRecorder, 'record'>
  readonly now: () => number
  /** Announces the event stream. */
  readonly announce: AnnounceStream
}

/** Handlers of OFREP (docs/reference/ofrep.md). */
export function ofrep({
  applicationUsers,
  sampleUsers,
  recorder,
  now,
  announce
}: Dependencies): Pick<Handlers, 'ofrepEvaluateFlag' | 'ofrepEvaluateFlags'> {
  const resolveUser = async (context: unknown, caller: KeyConfig): Promise<ContextUser> => {
    // OFREP has no form for obfuscated names.
    assertObfuscation(caller, false)
    const { user, error } = toUser(context)
    if (error?.code === 'INVALID_CONTEXT') throw new OfrepHttpError(error.code, error.message)
    assertTextLengths(user)
    const customData = withoutUserHash(user.customData ?? undefined)
    const unsigned = { ...user, ...(customData ? { customData } : {}) }
    return {
      user: await completeUser(unsigned, caller, { applicationUsers, sampleUsers }),
      ...(error ? { error } : {})
    }
  }

  return {
    ofrepEvaluateFlag: async ({ params, body }, caller) => {
      const user = await resolveUser(body.context, caller)
      const at = now()
      const resolution = caller.evaluator.resolve(user.user, params.key, toEvaluateOptions(user.user, caller, at))
      recorder.record({ caller, user: user.user, known: user.user, key: params.key, resolution, at })
      const flag = toOfrepFlag(caller.evaluator, user, params.key, resolution)
      if ('errorCode' in flag) throw new OfrepHttpError(flag.errorCode, flag.errorDetails)
      return flag
    },

    ofrepEvaluateFlags: async ({ body }, caller, { network }) => {
      const user = await resolveUser(body.context, caller)
      const { flags, fingerprint } = ofrepFlags(caller.evaluator, user, toEvaluateOptions(user.user, caller, now()))
      const { tag, ...announced } = await announce(caller, network)
      const { project, environment, version } = caller
      const metadata = { flagSetId: `${project.key}/${environment.key}`, version: version.id }
      return { etag: `"${version.id}.${fingerprint}.${tag}"`, body: { flags, metadata, ...announced } }
    }
  }
}

/** Asserts the limits of `User` in the contract. @throws {OfrepHttpError} `INVALID_CONTEXT` */
function assertTextLengths({ customData, privateCustomData, ...user }: User): void {
  const { appVersion, ...texts } = user
  assertLengths({ appVersion }, MAX_VERSION_LENGTH)
  for (const part of [texts, customData, privateCustomData]) assertLengths(part ?? {}, MAX_TEXT_LENGTH)
}

function assertLengths(part: object, limit: number): void {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value !== 'string' || value.length <= limit) continue
    const message = `${name.slice(0, MAX_SHOWN)} should have at most ${limit} characters, got ${value.length}`
    throw new OfrepHttpError('INVALID_CONTEXT', message)
  }
}

/** The names of attributes can be long too. */
const MAX_SHOWN = 60

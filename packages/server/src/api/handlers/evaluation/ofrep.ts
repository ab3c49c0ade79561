import { type BulkEvaluation, MAX_TEXT_LENGTH, MAX_VERSION_LENGTH } from '@burgee/contract/schemas'
import { type ContextUser, toUser, type User } from '@burgee/core'
import { type FlagResponse, fingerprintOf, ofrepResponses, toOfrepResponse } from '@burgee/core/text'
import { whenReady } from '@burgee/kit'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { assertObfuscation } from '../../../delivery/obfuscation/assertObfuscation.ts'
import type { AnnounceStream, StreamAnnouncement } from '../../../delivery/streams/streamAnnouncement.ts'
import type { ApplicationUsers } from '../../../flags/applicationUsers/applicationUsers.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../../insights/previews/sampleUsers.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import type { Handlers } from '../shared/handler.ts'
import { JsonText } from '../shared/jsonText.ts'
import { OfrepHttpError } from './ofrepError.ts'
import { completeUser, toEvaluateOptions, withoutUserHash } from './resolveUser.ts'
import { ResultFingerprints } from './resultFingerprints.ts'

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
  const resolveUser = (context: unknown, caller: KeyConfig): ContextUser | Promise<ContextUser> => {
    // OFREP has no form for obfuscated names.
    assertObfuscation(caller, false)
    const { user, error } = toUser(context)
    if (error?.code === 'INVALID_CONTEXT') throw new OfrepHttpError(error.code, error.message)
    assertTextLengths(user)
    const customData = withoutUserHash(user.customData ?? undefined)
    const unsigned = { ...user, ...(customData ? { customData } : {}) }
    return whenReady(completeUser(unsigned, caller, { applicationUsers, sampleUsers }), (completed) => ({
      user: completed,
      ...(error ? { error } : {})
    }))
  }

  const fingerprints = new ResultFingerprints()

  return {
    ofrepEvaluateFlag: ({ params: { key }, body }, caller) =>
      whenReady(resolveUser(body.context, caller), (contextUser) => {
        const { user } = contextUser
        const at = now()
        const resolution = caller.evaluator.resolve(user, key, toEvaluateOptions(user, caller, at))
        recorder.record({ caller, user, known: user, key, resolution, at })
        const { flag, text } = toOfrepResponse(caller.evaluator, contextUser, key, resolution)
        if ('errorCode' in flag) throw new OfrepHttpError(flag.errorCode, flag.errorDetails)
        return new JsonText(text)
      }),

    ofrepEvaluateFlags: ({ body }, caller, { network, isConditional }) =>
      whenReady(resolveUser(body.context, caller), (contextUser) => {
        const { user } = contextUser
        const options = toEvaluateOptions(user, caller, now())
        let responses: readonly FlagResponse[] | undefined
        const evaluate = () => (responses ??= ofrepResponses(caller.evaluator, contextUser, options))
        const fingerprint = isConditional
          ? fingerprints.find({ caller, user, options, evaluate: () => fingerprintOf(evaluate()) })
          : fingerprintOf(evaluate())
        return whenReady(announce(caller, network), (announcement) => ({
          etag: `"${caller.version.id}.${fingerprint}.${announcement.tag}"`,
          toBody: () => {
            const flags = evaluate()
              .map(({ text }) => text)
              .join(',')
            return new JsonText(`{"flags":[${flags}],${membersText(caller, announcement)}}`)
          }
        }))
      })
  }
}

/** Returns the members of a bulk evaluation that do not depend on the user, without braces. */
const membersText = memoizeByIdentity(
  ({ project, environment, version }: KeyConfig, { tag: _, ...announced }: StreamAnnouncement): string => {
    const metadata = { flagSetId: `${project.key}/${environment.key}`, version: version.id }
    const members: Omit<BulkEvaluation, 'flags'> = { metadata, ...announced }
    return JSON.stringify(members).slice(1, -1)
  }
)

/** Asserts the limits of `User` in the contract. @throws {OfrepHttpError} `INVALID_CONTEXT` */
function assertTextLengths(user: User): void {
  assertLength('appVersion', user.appVersion, MAX_VERSION_LENGTH)
  assertLengths(user)
  if (user.customData) assertLengths(user.customData)
  if (user.privateCustomData) assertLengths(user.privateCustomData)
}

function assertLengths(part: object): void {
  for (const [name, value] of Object.entries(part)) assertLength(name, value, MAX_TEXT_LENGTH)
}

function assertLength(name: string, value: unknown, limit: number): void {
  if (typeof value !== 'string' || value.length <= limit) return
  const message = `${name.slice(0, MAX_SHOWN)} should have at most ${limit} characters, got ${value.length}`
  throw new OfrepHttpError('INVALID_CONTEXT', message)
}

/** The names of attributes can be long too. */
const MAX_SHOWN = 60

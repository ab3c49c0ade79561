import { EventUser } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TrackedUser } from '../../storage/events/eventEntry.ts'
import { parseEventCustomData } from './parseEventCustomData.ts'
import { type BodySchema, parseOrReport } from './parseOrReport.ts'
import { formatUntrusted, validateShape } from './untrustedValue.ts'
import type { BodyPath, ReportIssue } from './validationIssue.ts'

/** The members that are read, each by itself: one that is wrong is left out alone. What is private is not among them, and cannot get into a message either. */
const parts = {
  user_id: EventUser.pick({ user_id: true }),
  platform: EventUser.pick({ platform: true }),
  sdkType: EventUser.pick({ sdkType: true }),
  sdkVersion: EventUser.pick({ sdkVersion: true })
}

/** Whose events they are; undefined, and told why, when nobody is named. Attributes that are wrong are told and left out: the events are good without them. */
export function parseEventUser(
  said: unknown,
  path: BodyPath,
  { validate }: { readonly validate: ParseBody },
  report: ReportIssue
): TrackedUser | undefined {
  if (!isRecord(said)) {
    report(path, () => `should be an object, got ${formatUntrusted(said)}`)
    return undefined
  }
  const read = <S extends BodySchema>(
    member: Exclude<keyof TrackedUser, 'customData'>,
    part: S
  ): S['_output'] | undefined => {
    const mistake = validateShape(said[member], member)
    if (mistake === undefined) return parseOrReport(part, { [member]: said[member] }, { path, validate, report })
    report(path, () => mistake)
    return undefined
  }
  const user_id = read('user_id', parts.user_id)?.user_id
  if (user_id === undefined) return undefined
  return {
    user_id,
    customData: parseEventCustomData(said.customData, path, report),
    platform: read('platform', parts.platform)?.platform ?? undefined,
    sdkType: read('sdkType', parts.sdkType)?.sdkType ?? undefined,
    sdkVersion: read('sdkVersion', parts.sdkVersion)?.sdkVersion ?? undefined
  }
}

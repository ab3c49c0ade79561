import { EventUser } from '@burgee/contract'
import type { TrackedUser } from '../eventStore/entry.ts'
import { isObject } from '../isObject.ts'
import type { Validate } from '../validate.ts'
import { check, type Schema } from './check.ts'
import { brokenForm, showAny } from './form.ts'
import type { Path, Tell } from './mistake.ts'
import { readAttributes } from './readAttributes.ts'

/** The members that are read, each by itself: one that is wrong is left out alone. What is private is not among them, and cannot get into a message either. */
const parts = {
  user_id: EventUser.pick({ user_id: true }),
  platform: EventUser.pick({ platform: true }),
  sdkType: EventUser.pick({ sdkType: true }),
  sdkVersion: EventUser.pick({ sdkVersion: true })
}

/** Whose events they are; undefined, and told why, when nobody is named. Attributes that are wrong are told and left out: the events are good without them. */
export function readEventUser(
  said: unknown,
  path: Path,
  { validate }: { readonly validate: Validate },
  tell: Tell
): TrackedUser | undefined {
  if (!isObject(said)) {
    tell(path, () => `should be an object, got ${showAny(said)}`)
    return undefined
  }
  const read = <S extends Schema>(
    member: Exclude<keyof TrackedUser, 'customData'>,
    part: S
  ): S['_output'] | undefined => {
    const mistake = brokenForm(said[member], member)
    if (mistake === undefined) return check(part, { [member]: said[member] }, { path, validate, tell })
    tell(path, () => mistake)
    return undefined
  }
  const user_id = read('user_id', parts.user_id)?.user_id
  if (user_id === undefined) return undefined
  return {
    user_id,
    customData: readAttributes(said.customData, path, tell),
    platform: read('platform', parts.platform)?.platform ?? undefined,
    sdkType: read('sdkType', parts.sdkType)?.sdkType ?? undefined,
    sdkVersion: read('sdkVersion', parts.sdkVersion)?.sdkVersion ?? undefined
  }
}

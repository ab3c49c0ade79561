import { SdkEvent } from '@burgee/contract'
import type { TrackedEvent } from '../eventStore/entry.ts'
import { isObject } from '../isObject.ts'
import type { Validate } from '../validate.ts'
import { check } from './check.ts'
import { evaluationMistake } from './evaluations.ts'
import { brokenForm, showAny } from './form.ts'
import type { Path, Tell } from './mistake.ts'

interface World {
  readonly validate: Validate
  /** A target by the name that people know. */
  readonly plainTarget: (target: string) => string
  /** The most evaluations that an event can tell of. */
  readonly maxCount: number
}

/** What an event says; undefined, and told why, when it cannot be taken. */
export function readEvent(
  said: unknown,
  path: Path,
  { validate, plainTarget, maxCount }: World,
  tell: Tell
): TrackedEvent | undefined {
  if (!isObject(said)) {
    tell(path, () => `should be an object, got ${showAny(said)}`)
    return undefined
  }
  const mistake = brokenForm(said, 'it')
  if (mistake !== undefined) {
    tell(path, () => mistake)
    return undefined
  }
  const event = check(SdkEvent, said, { path, validate, tell })
  if (!event) return undefined
  const { type, customType, target, date, clientDate, value, featureVars, metaData } = event
  const read: TrackedEvent = {
    type,
    customType: customType ?? undefined,
    target: typeof target === 'string' ? plainTarget(target) : undefined,
    date: toEpoch(date),
    clientDate: toEpoch(clientDate),
    value: value ?? undefined,
    featureVars: featureVars ?? undefined,
    metaData: metaData ?? undefined
  }
  const miscount = evaluationMistake(read, maxCount)
  if (miscount === undefined) return read
  tell(path, () => miscount)
  return undefined
}

/** Epoch milliseconds of a moment, which is a number, the text of one, or a date-time. The empty text says nothing. */
function toEpoch(moment: string | number | null | undefined): number | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined
  const number = Number(moment)
  return Number.isNaN(number) ? Date.parse(String(moment)) : number
}

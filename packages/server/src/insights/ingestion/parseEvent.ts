import { SdkEvent } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TrackedEvent } from '../../storage/events/eventEntry.ts'
import { validateEvaluationEvent } from '../evaluations/evaluationEvents.ts'
import { parseOrReport } from './parseOrReport.ts'
import { formatUntrusted, validateShape } from './untrustedValue.ts'
import type { BodyPath, ReportIssue } from './validationIssue.ts'

interface Dependencies {
  readonly validate: ParseBody
  /** A target by the name that people know. */
  readonly deobfuscateTarget: (target: string) => string
  /** The most evaluations that an event can tell of. */
  readonly maxCount: number
}

/** What an event says; undefined, and told why, when it cannot be taken. */
export function parseEvent(
  said: unknown,
  path: BodyPath,
  { validate, deobfuscateTarget, maxCount }: Dependencies,
  report: ReportIssue
): TrackedEvent | undefined {
  if (!isRecord(said)) {
    report(path, () => `should be an object, got ${formatUntrusted(said)}`)
    return undefined
  }
  const mistake = validateShape(said, 'it')
  if (mistake !== undefined) {
    report(path, () => mistake)
    return undefined
  }
  const event = parseOrReport(SdkEvent, said, { path, validate, report })
  if (!event) return undefined
  const { type, customType, target, date, clientDate, value, featureVars, metaData } = event
  const read: TrackedEvent = {
    type,
    customType: customType ?? undefined,
    target: typeof target === 'string' ? deobfuscateTarget(target) : undefined,
    date: toEpoch(date),
    clientDate: toEpoch(clientDate),
    value: value ?? undefined,
    featureVars: featureVars ?? undefined,
    metaData: metaData ?? undefined
  }
  const miscount = validateEvaluationEvent(read, maxCount)
  if (miscount === undefined) return read
  report(path, () => miscount)
  return undefined
}

/** Epoch milliseconds of a moment, which is a number, the text of one, or a date-time. The empty text says nothing. */
function toEpoch(moment: string | number | null | undefined): number | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined
  const number = Number(moment)
  return Number.isNaN(number) ? Date.parse(String(moment)) : number
}

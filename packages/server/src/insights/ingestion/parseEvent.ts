import {
  EventUser,
  hasPlainAttributes,
  isPlainEvent,
  MAX_ATTRIBUTES,
  MAX_CUSTOM_DATA_LENGTH,
  MAX_METADATA_LENGTH,
  SdkEvent
} from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import type { ParseBody } from '../../access/parseBody.ts'
import { evaluationEventTypes, type TrackedEvent, type TrackedUser } from '../../storage/events/eventEntry.ts'
import type { TextScan } from './textScan.ts'
import {
  type BodyPath,
  type BodySchema,
  formatUntrusted,
  parseOrReport,
  type ReportIssue,
  validateShape
} from './validationIssue.ts'

/** The dependencies and limits of parsing. */
export interface ParseContext extends Pick<TextScan, 'isStorable'> {
  readonly validate: ParseBody
  /** Returns the variable key that an obfuscated target stands for; other targets are returned unchanged. */
  readonly deobfuscateTarget: (target: string) => string
  /** The largest number of evaluations that one event may report. */
  readonly maxEvaluations: number
}

/** Parses one event (docs/reference/events.md, Event). Reports an issue and returns `undefined` if it is invalid. */
export function parseEvent(
  raw: unknown,
  path: BodyPath,
  context: ParseContext,
  report: ReportIssue
): TrackedEvent | undefined {
  const { deobfuscateTarget, maxEvaluations, isStorable } = context
  const body = isStorable && isPlainEvent(raw) ? raw : validateEvent(raw, path, context, report)
  if (!body) return undefined
  const { type, customType, target, date, clientDate, value, featureVars, metaData } = body
  const event: TrackedEvent = {
    type,
    customType: customType ?? undefined,
    target: typeof target === 'string' ? deobfuscateTarget(target) : undefined,
    date: toEpoch(date),
    clientDate: toEpoch(clientDate),
    value: value ?? undefined,
    featureVars: featureVars ?? undefined,
    metaData: metaData ?? undefined
  }
  const evaluationIssue = validateEvaluationEvent(event, maxEvaluations)
  if (evaluationIssue === undefined) return event
  report(path, () => evaluationIssue)
  return undefined
}

function validateEvent(
  raw: unknown,
  path: BodyPath,
  { validate }: ParseContext,
  report: ReportIssue
): SdkEvent | undefined {
  if (!isRecord(raw)) {
    report(path, () => `should be an object, got ${formatUntrusted(raw)}`)
    return undefined
  }
  const shapeIssue = hasTooManyMembers(raw.metaData) ? LONG_METADATA : validateShape(raw, 'it')
  if (shapeIssue !== undefined) {
    report(path, () => shapeIssue)
    return undefined
  }
  return parseOrReport(SdkEvent, raw, { path, validate, report })
}

const LONG_METADATA = `metaData should take at most ${MAX_METADATA_LENGTH} characters of JSON`

/** In JSON, a member takes at least this many characters, for example `"":0,`. */
const MIN_MEMBER_LENGTH = 5

/**
 * Whether metadata has more members than fit into the longest JSON that is accepted. Far faster than writing that JSON
 * or checking each member.
 */
function hasTooManyMembers(metaData: unknown): boolean {
  if (!isRecord(metaData)) return false
  let count = 0
  for (const _ in metaData) if (++count > MAX_METADATA_LENGTH / MIN_MEMBER_LENGTH) return true
  return false
}

/** Converts a number, a numeric string or a date-time to epoch milliseconds. An empty string counts as absent. */
function toEpoch(moment: string | number | null | undefined): number | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined
  const number = Number(moment)
  return Number.isNaN(number) ? Date.parse(String(moment)) : number
}

/** For server keys: more than any process evaluates between two reports, and small enough for sums to stay exact. */
export const MAX_EVALUATIONS_PER_EVENT = 1_000_000_000

/** For client and mobile keys, which are public: more than any page or app evaluates. */
export const MAX_PUBLIC_EVALUATIONS_PER_EVENT = 1_000_000

/** Several times as many as the reasons that SDKs know (docs/reference/evaluation.md). */
const MAX_REASONS = 32

function validateEvaluationEvent(
  { type, target, value = 1, metaData }: TrackedEvent,
  maxEvaluations: number
): string | undefined {
  const kind = evaluationEventTypes.get(type)
  if (!kind) return undefined
  // With 0, an event records what its user was served; the evaluations are counted by another event.
  const min = kind.isOfUser ? 0 : 1
  const reasons = isRecord(metaData?.eval) ? Object.keys(metaData.eval).length : 0
  if (reasons > MAX_REASONS) {
    return `metaData.eval should have at most ${MAX_REASONS} reasons in an event of type "${type}", got ${reasons}`
  }
  if (!target) return `target should be the key of the variable in an event of type "${type}"`
  if (Number.isInteger(value) && value >= min && value <= maxEvaluations) return undefined
  return `value should be a whole number from ${min} to ${maxEvaluations} in an event of type "${type}", got ${value}`
}

/**
 * Each property is parsed on its own, so that an invalid one is dropped alone. Private custom data is not read, so it
 * cannot appear in a message either.
 */
const userSchemas = {
  user_id: EventUser.pick({ user_id: true }),
  platform: EventUser.pick({ platform: true }),
  sdkType: EventUser.pick({ sdkType: true }),
  sdkVersion: EventUser.pick({ sdkVersion: true })
}

/**
 * Parses the user of events (docs/reference/events.md, User). Reports an issue and returns `undefined` without a valid
 * `user_id`; other invalid attributes are reported and dropped, since the events are valid without them.
 */
export function parseEventUser(
  raw: unknown,
  path: BodyPath,
  { validate, isStorable }: Pick<ParseContext, 'validate' | 'isStorable'>,
  report: ReportIssue
): TrackedUser | undefined {
  if (!isRecord(raw)) {
    report(path, () => `should be an object, got ${formatUntrusted(raw)}`)
    return undefined
  }
  if (isStorable && hasPlainAttributes(raw)) return toTrackedUser(raw, parseCustomData(raw.customData, path, report))
  const read = <S extends BodySchema>(property: keyof typeof userSchemas, schema: S): S['_output'] | undefined => {
    const issue = validateShape(raw[property], property)
    if (issue === undefined) return parseOrReport(schema, { [property]: raw[property] }, { path, validate, report })
    report(path, () => issue)
    return undefined
  }
  const user_id = read('user_id', userSchemas.user_id)?.user_id
  if (user_id === undefined) return undefined
  const customData = parseCustomData(raw.customData, path, report)
  const { platform } = read('platform', userSchemas.platform) ?? {}
  const { sdkType } = read('sdkType', userSchemas.sdkType) ?? {}
  const { sdkVersion } = read('sdkVersion', userSchemas.sdkVersion) ?? {}
  return toTrackedUser({ user_id, platform, sdkType, sdkVersion }, customData)
}

/** Absent attributes are the same as `null`. */
function toTrackedUser(
  { user_id, platform, sdkType, sdkVersion }: Pick<EventUser, 'user_id' | 'platform' | 'sdkType' | 'sdkVersion'>,
  customData: CustomData | undefined
): TrackedUser {
  return {
    user_id,
    customData,
    platform: platform ?? undefined,
    sdkType: sdkType ?? undefined,
    sdkVersion: sdkVersion ?? undefined
  }
}

/**
 * Parses custom data, given as an object or as its JSON text. The rules are those of the contract's `CustomData`
 * schema, written by hand: a schema would collect an issue for each of possibly very many properties.
 */
function parseCustomData(raw: unknown, path: BodyPath, report: ReportIssue): CustomData | undefined {
  const data = typeof raw === 'string' && raw.length <= MAX_CUSTOM_DATA_LENGTH ? parseJsonOrText(raw) : raw
  if (data === undefined || data === null) return undefined
  const issue = validateCustomData(data, raw)
  // Data without an issue is flat.
  if (issue === undefined) return data as CustomData
  report(path, issue)
  return undefined
}

function validateCustomData(data: unknown, raw: unknown): (() => string) | undefined {
  if (typeof data === 'string' && data.length > MAX_CUSTOM_DATA_LENGTH) return () => tooLarge(data.length)
  if (isRecord(data) && Object.keys(data).length > MAX_ATTRIBUTES) {
    return () => `customData should have at most ${MAX_ATTRIBUTES} members`
  }
  if (!isFlat(data)) {
    return () => `customData should be an object of strings, numbers, booleans and nulls, got ${formatUntrusted(raw)}`
  }
  const { length } = JSON.stringify(data)
  const issue = length > MAX_CUSTOM_DATA_LENGTH ? tooLarge(length) : validateShape(data, 'customData')
  return issue === undefined ? undefined : () => issue
}

/** Text that is not JSON is returned as it is, and refused later like any other string. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isFlat(data: unknown): data is CustomData {
  return isRecord(data) && Object.values(data).every((value) => value === null || typeof value !== 'object')
}

function tooLarge(length: number): string {
  return `customData should take at most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON, got ${length}`
}

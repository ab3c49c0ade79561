import {
  type EventEntry,
  evaluationEventTypes,
  type TrackedEvent,
  type TrackedReport,
  UNKNOWN_PLATFORM
} from '../eventEntry.ts'
import type { UserEvent, UserEventsQuery } from '../eventStore.ts'
import { replaceContainedId, replaceExactId, replacePlatform } from './replaceId.ts'

/** The replacement of a user id in some environments. */
export interface UserReplacement extends UserEventsQuery {
  /** The id that takes its place. */
  readonly replacement: string
}

/**
 * Derives a replacement for a user id from random text. It takes at most the bytes of the id in JSON, so that lines can
 * keep their length and the offsets of a file stay valid.
 */
export function anonymousIdFor(user_id: string, random: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(user_id)) - 2
  const replacement = `~${random}`.slice(0, bytes)
  return replacement === user_id ? `-${replacement.slice(1)}` : replacement
}

/** Whether an entry is about the user. */
export function concernsUser(entry: EventEntry, { environments, user_id }: UserEventsQuery): boolean {
  if (!environments.includes(entry.environment)) return false
  return (
    entry.exposures.some((exposure) => exposure.user_id === user_id) ||
    entry.reports.some(({ user }) => user.user_id === user_id)
  )
}

/**
 * Returns an entry with the replacement, and the number of exposures and events that it replaced; `undefined` if it does
 * not contain the user. Of the user's events remain the members that results are computed from. In events of other users,
 * values that are the id are replaced.
 */
export function replaceUserInEntry(
  entry: EventEntry,
  query: UserReplacement
): { readonly entry: EventEntry; readonly count: number } | undefined {
  const { environments, user_id, replacement } = query
  if (!environments.includes(entry.environment)) return undefined
  const { payloadId, payloadDigest, keyType, ...rest } = entry
  const isSent = payloadId !== undefined && replaceContainedId(payloadId, query) !== payloadId
  const counts = entry.counts.map((one) => ({ ...one, platform: replacePlatform(one.platform, query) }))
  const isCounted = counts.some(({ platform }, index) => platform !== entry.counts[index]?.platform)
  let count = 0
  const exposures = entry.exposures.map((exposure) => {
    const { platform = UNKNOWN_PLATFORM } = exposure
    const renamed = replacePlatform(platform, query)
    const anonymous = renamed === platform ? exposure : { ...exposure, platform: renamed }
    if (exposure.user_id !== user_id) return anonymous
    count++
    return { ...anonymous, user_id: replacement }
  })
  const isExposed = exposures.some((exposure, index) => exposure !== entry.exposures[index])
  const reports = entry.reports.map((report) => {
    const replaced = report.user.user_id === user_id ? anonymousReport(report, query) : withoutMention(report, query)
    count += replaced.count
    return replaced.report
  })
  const isReported = reports.some((report, index) => report !== entry.reports[index])
  if (count === 0 && !isExposed && !isReported && !isSent && !isCounted) return undefined
  // Senders choose the id of a payload, and may derive it from the user in any form. Random ids are kept, since they
  // recognize a repeated payload after a restart.
  const isKept = payloadId !== undefined && !isSent && (UUID.test(payloadId) || !concernsUser(entry, query))
  const identity = isKept ? { payloadId, payloadDigest, keyType } : { keyType }
  return { entry: { ...rest, ...identity, counts, exposures, reports }, count }
}

/** A report after a replacement, and the number of its events that changed. */
interface ReplacedReport {
  readonly report: TrackedReport
  readonly count: number
}

/** Returns a report of the user without other data about the user. */
function anonymousReport({ user, events }: TrackedReport, id: UserReplacement): ReplacedReport {
  const clean = (text: string | undefined) => (text === undefined ? undefined : replaceContainedId(text, id))
  const report = {
    user: {
      user_id: id.replacement,
      platform: clean(user.platform),
      sdkType: clean(user.sdkType),
      sdkVersion: clean(user.sdkVersion)
    },
    events: events.map(({ type, customType, date, clientDate, value, featureVars }): TrackedEvent => {
      return {
        type: isKnownType(type) ? type : replaceContainedId(type, id),
        customType: clean(customType),
        date,
        clientDate,
        value,
        featureVars: replaceExactId(featureVars, id)
      }
    })
  }
  return { report, count: events.length }
}

/** Whether a type of events has a meaning for results, so that it cannot be the id of a user. */
function isKnownType(type: string): boolean {
  return type === 'customEvent' || evaluationEventTypes.has(type)
}

/** Returns a report of another user without the values that are the id. */
function withoutMention(report: TrackedReport, id: UserReplacement): ReplacedReport {
  const { user, events } = report
  const customData = replaceExactId(user.customData, id)
  const replaced = events.map((event): TrackedEvent => {
    const target = replaceExactId(event.target, id)
    const metaData = replaceExactId(event.metaData, id)
    return target === event.target && metaData === event.metaData ? event : { ...event, target, metaData }
  })
  const changed = replaced.filter((event, index) => event !== events[index]).length
  if (customData !== user.customData) {
    return { report: { user: { ...user, customData }, events: replaced }, count: events.length }
  }
  return { report: changed > 0 ? { user, events: replaced } : report, count: changed }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns what an entry contains about a user. */
export function* userEventsOf(
  { at, environment, exposures, reports }: EventEntry,
  { user_id }: UserEventsQuery
): Generator<UserEvent, void> {
  for (const exposure of exposures) {
    if (exposure.user_id === user_id) yield { at, environment, type: 'exposure', exposure }
  }
  for (const { user, events } of reports) {
    if (user.user_id !== user_id) continue
    for (const event of events) yield { at, environment, type: 'event', user, event }
  }
}

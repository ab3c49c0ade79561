import type { EventEntry } from '../eventEntry.ts'
import type { UserEvent, UserEventsQuery } from '../eventStore.ts'

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
 * Returns an entry with the replacement, and the number of exposures and events that it replaced. Of the events remain
 * the members that results are computed from.
 */
export function replaceUserInEntry(
  entry: EventEntry,
  { user_id, replacement }: UserReplacement
): { readonly entry: EventEntry; readonly count: number } {
  const { payloadId, payloadDigest, keyType, ...rest } = entry
  let count = 0
  const exposures = entry.exposures.map((exposure) => {
    if (exposure.user_id !== user_id) return exposure
    count++
    return { ...exposure, user_id: replacement }
  })
  const reports = entry.reports.map((report) => {
    const { platform, sdkType, sdkVersion } = report.user
    if (report.user.user_id !== user_id) return report
    count += report.events.length
    return {
      user: { user_id: replacement, platform, sdkType, sdkVersion },
      events: report.events.map(({ type, customType, date, clientDate, value, featureVars }) => {
        return { type, customType, date, clientDate, value, featureVars }
      })
    }
  })
  // Senders choose the id of a payload, and may derive it from the user in any form. Random ids are kept, since they
  // recognize a repeated payload after a restart.
  const isRandom = payloadId !== undefined && UUID.test(payloadId) && !payloadId.includes(user_id)
  const identity = isRandom ? { payloadId, payloadDigest, keyType } : { keyType }
  return { entry: { ...rest, ...identity, exposures, reports }, count }
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

import { sdkTypes } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import {
  type EvaluationCount,
  type EventEntry,
  type Exposure,
  evaluationEventTypes,
  type TrackedEvent,
  type TrackedReport
} from '../../eventEntry.ts'

/**
 * Parses a line of a version without an event store: the events of a request or, in the first versions, one event.
 * Returns `undefined` if it is damaged.
 */
export function parseLegacyEntry(bytes: Buffer): EventEntry | undefined {
  const line = parse(bytes)
  if (!isRecord(line)) return undefined
  const { environment, idempotencyKey, receivedAt, reports, ...event } = line
  const at = typeof receivedAt === 'string' ? Date.parse(receivedAt) : Number.NaN
  if (typeof environment !== 'string' || Number.isNaN(at)) return undefined
  const { user, ...rest } = event
  const all = Array.isArray(reports) ? reports : [{ user, events: [rest] }]
  if (!all.every(isReport)) return undefined
  const tracked = all.flatMap(({ user, events }) => {
    const others = events.filter((one) => !evaluationEventTypes.has(one.type))
    return others.length > 0 ? [{ user, events: others }] : []
  })
  // The type of the key was not stored; server SDKs are the ones that repeat payloads.
  const keyType = 'server'
  const evaluated = all.flatMap(({ user, events }) => events.flatMap((one) => evaluationOf(one, user) ?? []))
  return {
    environment,
    at,
    ...(typeof idempotencyKey === 'string' ? { payloadId: idempotencyKey, keyType } : {}),
    reports: tracked,
    counts: evaluated.map(({ count }) => count),
    exposures: evaluated.flatMap(({ exposure }) => exposure ?? [])
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function isReport(value: unknown): value is TrackedReport {
  if (!isRecord(value)) return false
  const { user, events } = value
  const isUser = isRecord(user) && typeof user.user_id === 'string'
  return isUser && Array.isArray(events) && events.every((event) => isRecord(event) && typeof event.type === 'string')
}

/** Converts an evaluation event. Uses only the event, since the configs of its time no longer exist. */
function evaluationOf(
  { type, target, value, metaData, featureVars }: TrackedEvent,
  { user_id, platform, sdkType }: TrackedReport['user']
): { readonly count: EvaluationCount; readonly exposure: Exposure | undefined } | undefined {
  const kind = evaluationEventTypes.get(type)
  if (!kind) return undefined
  const { isServed, isOfUser } = kind
  const featureVariations = Object.entries(featureVars ?? {})
  // Events of a user do not name the feature. It is known only if the user was served exactly one.
  const [feature, variation] = isOfUser
    ? featureVariations.length === 1
      ? (featureVariations[0] ?? [])
      : []
    : [metaData?._feature, metaData?._variation]
  const isKnown = isServed && typeof feature === 'string' && typeof variation === 'string'
  const served = isKnown ? { feature, variation } : {}
  const from = sdkTypes.find((one) => one === sdkType) ?? 'server'
  return {
    count: {
      // Without a known feature, the key can be invented.
      variable: isKnown ? target : undefined,
      ...served,
      platform: platform ?? 'unknown',
      sdkType: from,
      count: typeof value === 'number' && value > 0 ? Math.round(value) : 1
    },
    exposure: isOfUser ? { user_id, ...served, sdkType: from } : undefined
  }
}

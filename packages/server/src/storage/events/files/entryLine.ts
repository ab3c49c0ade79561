import { sdkKeyTypes } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import type { PayloadIdentity } from '../engine/payloadDeduplicator.ts'
import type { EventEntry } from '../eventEntry.ts'
import { toUtcDay } from '../utcDay.ts'

/** Formats an entry as a line. Environment and ids are first, so that a reader can skip the rest. */
export function formatEntryLine(entry: EventEntry): string {
  const { environment, at, payloadId, keyType, payloadDigest, reports, counts, exposures } = entry
  return JSON.stringify({
    environment,
    at,
    payloadId,
    keyType,
    payloadDigest,
    reports: reports.length > 0 ? reports : undefined,
    counts: counts.length > 0 ? counts : undefined,
    exposures: exposures.length > 0 ? exposures : undefined
  })
}

/** Parses a line; returns `undefined` if it is damaged. */
export function parseEntryLine(line: Buffer, day: string): EventEntry | undefined {
  const value = parse(line.toString())
  if (!isRecord(value)) return undefined
  const { environment, at, payloadId, keyType, payloadDigest, reports = [], counts = [], exposures = [] } = value
  const isEntry =
    typeof environment === 'string' &&
    typeof at === 'number' &&
    toUtcDay(at) === day &&
    [reports, counts, exposures].every((list) => Array.isArray(list) && list.every(isRecord))
  // `formatEntryLine` wrote the other members.
  if (!isEntry) return undefined
  return { environment, at, payloadId, keyType, payloadDigest, reports, counts, exposures } as EventEntry
}

/** Parses the payload id of a line, if it has one, without parsing the whole line. */
export function parsePayloadIdentity(line: Buffer): PayloadIdentity | undefined {
  const [, environment, at, payloadId, type, payloadDigest] = head.exec(line.toString('utf8', 0, MAX_HEAD_BYTES)) ?? []
  if (environment === undefined || payloadId === undefined) return undefined
  const keyType = sdkKeyTypes.find((one) => one === type)
  const names = { environment: String(parse(environment)), payloadId: String(parse(payloadId)) }
  return { ...names, at: Number(at), keyType, payloadDigest }
}

const head =
  /^\{"environment":("(?:[^"\\]|\\.)*"),"at":(\d+),"payloadId":("(?:[^"\\]|\\.)*")(?:,"keyType":"([a-z]+)")?(?:,"payloadDigest":"([\w-]+)")?/

/** A payload id has up to 256 characters of up to six bytes. */
const MAX_HEAD_BYTES = 4096

/**
 * Returns a fast test for lines that can match: of one of these environments, with one of these strings, or with a string
 * that contains one of them.
 */
export function createLineFilter(
  environments: readonly string[],
  texts: readonly string[],
  mode: 'exact' | 'contained' = 'exact'
): (line: Buffer) => boolean {
  const starts = environments.map((environment) => Buffer.from(`{"environment":${JSON.stringify(environment)},`))
  const needles = texts.map((text) => {
    const json = JSON.stringify(text)
    return Buffer.from(mode === 'exact' ? json : json.slice(1, -1))
  })
  return (line) =>
    starts.some((start) => line.subarray(0, start.length).equals(start)) &&
    needles.some((needle) => line.includes(needle))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { MAX_ATTRIBUTES, MAX_CUSTOM_DATA_LENGTH } from '@burgee/contract'
import type { CustomData } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import { formatUntrusted, validateShape } from './untrustedValue.ts'
import type { BodyPath, ReportIssue } from './validationIssue.ts'

/**
 * The custom data of a user, given as an object or as the JSON text of one; undefined, and told why, when it cannot be
 * kept. It asks for what the contract's schema `CustomData` does, in the same words, but not by it: there can be a great many
 * members and users, and all that is wrong is one mistake here, since telling each takes its time.
 */
export function parseEventCustomData(said: unknown, path: BodyPath, tell: ReportIssue): CustomData | undefined {
  const data = typeof said === 'string' && said.length <= MAX_CUSTOM_DATA_LENGTH ? parseJsonOrText(said) : said
  if (data === undefined || data === null) return undefined
  if (isOversizedText(data)) tell(path, () => tooLarge(data.length))
  else if (hasTooManyMembers(data)) tell(path, () => `customData should have at most ${MAX_ATTRIBUTES} members`)
  else if (!isFlat(data)) {
    tell(
      path,
      () => `customData should be an object of strings, numbers, booleans and nulls, got ${formatUntrusted(said)}`
    )
  } else {
    const { length } = JSON.stringify(data)
    const mistake = length > MAX_CUSTOM_DATA_LENGTH ? tooLarge(length) : validateShape(data, 'customData')
    if (mistake === undefined) return data
    tell(path, () => mistake)
  }
  return undefined
}

/** A text that is no JSON is as good as any other text: no object. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether this is a text that nobody has read: it is longer than what it says may be. */
function isOversizedText(data: unknown): data is string {
  return typeof data === 'string' && data.length > MAX_CUSTOM_DATA_LENGTH
}

function hasTooManyMembers(data: unknown): boolean {
  return isRecord(data) && Object.keys(data).length > MAX_ATTRIBUTES
}

function isFlat(data: unknown): data is CustomData {
  return isRecord(data) && Object.values(data).every((value) => value === null || typeof value !== 'object')
}

function tooLarge(length: number): string {
  return `customData should take at most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON, got ${length}`
}

import { MAX_ATTRIBUTES, MAX_CUSTOM_DATA } from '@burgee/contract'
import type { CustomData } from '@burgee/core'
import { isObject } from '../isObject.ts'
import { brokenForm, showAny } from './form.ts'
import type { Path, Tell } from './mistake.ts'

/**
 * The custom data of a user, given as an object or as the JSON text of one; undefined, and told why, when it cannot be
 * kept. It asks for what the contract's schema `CustomData` does, in the same words, but not by it: there can be a great many
 * members and users, and all that is wrong is one mistake here, since telling each takes its time.
 */
export function readAttributes(said: unknown, path: Path, tell: Tell): CustomData | undefined {
  const data = typeof said === 'string' && said.length <= MAX_CUSTOM_DATA ? parsed(said) : said
  if (data === undefined || data === null) return undefined
  if (isTextBeyond(data)) tell(path, () => tooLarge(data.length))
  else if (hasManyMembers(data)) tell(path, () => `customData should have at most ${MAX_ATTRIBUTES} members`)
  else if (!isFlat(data)) {
    tell(path, () => `customData should be an object of strings, numbers, booleans and nulls, got ${showAny(said)}`)
  } else {
    const { length } = JSON.stringify(data)
    const mistake = length > MAX_CUSTOM_DATA ? tooLarge(length) : brokenForm(data, 'customData')
    if (mistake === undefined) return data
    tell(path, () => mistake)
  }
  return undefined
}

/** A text that is no JSON is as good as any other text: no object. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether this is a text that nobody has read: it is longer than what it says may be. */
function isTextBeyond(data: unknown): data is string {
  return typeof data === 'string' && data.length > MAX_CUSTOM_DATA
}

function hasManyMembers(data: unknown): boolean {
  return isObject(data) && Object.keys(data).length > MAX_ATTRIBUTES
}

function isFlat(data: unknown): data is CustomData {
  return isObject(data) && Object.values(data).every((value) => value === null || typeof value !== 'object')
}

function tooLarge(length: number): string {
  return `customData should take at most ${MAX_CUSTOM_DATA} characters of JSON, got ${length}`
}

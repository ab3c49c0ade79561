import type { CustomData } from '@burgee/core'
import { brokenForm, isObject, showAny } from './form.ts'
import type { Path, Tell } from './mistake.ts'

/** The most attributes of a user that are kept with an event, in characters of JSON. */
const MAX_CUSTOM_DATA = 16_384

/**
 * The custom data of a user, given as an object or as the JSON text of one; undefined, and told why, when it cannot be
 * kept. There can be a great many members and users: all that is wrong is one mistake, since telling each takes its time.
 */
export function readAttributes(said: unknown, path: Path, tell: Tell): CustomData | undefined {
  const data = typeof said === 'string' ? parsed(said) : said
  if (data === undefined || data === null) return undefined
  if (!isFlat(data)) {
    tell(path, `customData should be an object of strings, numbers, booleans and nulls, got ${showAny(said)}`)
    return undefined
  }
  const mistake = brokenForm(data, 'customData') ?? tooLarge(data)
  if (mistake === undefined) return data
  tell(path, mistake)
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

function isFlat(data: unknown): data is CustomData {
  return isObject(data) && Object.values(data).every((value) => value === null || typeof value !== 'object')
}

function tooLarge(data: CustomData): string | undefined {
  const { length } = JSON.stringify(data)
  if (length <= MAX_CUSTOM_DATA) return undefined
  return `customData should take at most ${MAX_CUSTOM_DATA} characters of JSON, got ${length}`
}

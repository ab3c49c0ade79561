import { RESERVED_KEYS } from '@burgee/contract/schemas'
import { KEY_PREFIX } from './redactKeys.ts'

/** What one look at the text of a body shows about all values in it, so that they need not be checked one by one. */
export interface TextScan {
  /** False if no text of the body contains an SDK key. */
  readonly mayContainKeys: boolean
  /** True if the store can contain every text and every name of the body. */
  readonly isStorable: boolean
}

/** Scans the text of a body in UTF-8; `undefined` is a text that is not known. */
export function scanText(text: string | undefined, sdkKey: string): TextScan {
  if (text === undefined || SUSPECT.test(text)) return { mayContainKeys: true, isStorable: false }
  return { mayContainKeys: text.includes(sdkKey), isStorable: true }
}

/** The beginning of server keys, reserved names, and escape sequences, with which texts are not as they are written. */
const SUSPECT = new RegExp([KEY_PREFIX, ...RESERVED_KEYS, '\\\\[u/]'].join('|'))

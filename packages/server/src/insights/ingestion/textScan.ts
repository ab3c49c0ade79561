import { RESERVED_KEYS } from '@burgee/contract/schemas'
import { KEY_PREFIX } from './redactKeys.ts'

/** What one scan of a body proves about all of its values, so they need no individual checks. */
export interface TextScan {
  /** False if no text of the body contains an SDK key. */
  readonly mayContainKeys: boolean
  /** True if the store can contain every text and every name of the body. */
  readonly isStorable: boolean
}

/** Scans the text of a body; pass `undefined` if the text is not available. */
export function scanText(text: string | undefined, sdkKey: string): TextScan {
  if (text === undefined || SUSPECT.test(text)) return { mayContainKeys: true, isStorable: false }
  return { mayContainKeys: text.includes(sdkKey), isStorable: true }
}

/** The server key prefix, reserved names, and escape sequences, which can hide either. */
const SUSPECT = new RegExp([KEY_PREFIX, ...RESERVED_KEYS, '\\\\[u/]'].join('|'))

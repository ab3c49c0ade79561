import { isRecord } from '@burgee/kit'

/** Parses JSON. Returns undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON object. Returns an empty record for any other text. */
export function parseRecord(text: string): Record<string, unknown> {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

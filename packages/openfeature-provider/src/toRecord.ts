import { isRecord } from './lib/json.ts'

/** The members of a JSON object; of any other text, none. */
export function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

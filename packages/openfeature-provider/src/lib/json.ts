import { setImmediate } from 'node:timers/promises'
import { isRecord, timeSlices } from '@burgee/kit'

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

/** Returns a record as `JSON.stringify` does. The event loop serves others between the items of its lists. */
export async function stringifyInSlices(record: Readonly<Record<string, unknown>>): Promise<string> {
  const slices = timeSlices(setImmediate)
  const members: string[] = []
  for (const [name, value] of Object.entries(record)) {
    const items: string[] = []
    for (const item of Array.isArray(value) ? value : []) {
      items.push(JSON.stringify(item) ?? 'null')
      await slices.yieldIfDue()
    }
    const text = Array.isArray(value) ? `[${items.join(',')}]` : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

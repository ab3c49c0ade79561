/** What the values of JSON variables are where nothing more is known. */
export const JSON_OBJECT = 'JsonObject'

/** What anything inside of them is where nothing more is known. */
export const JSON_VALUE = 'Json'

/** The declarations of those of these types that a text uses. */
export function jsonTypes(text: string): readonly string[] {
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  if (!isUsed(JSON_VALUE) && !isUsed(JSON_OBJECT)) return []
  return [
    '/** Any JSON object. */\nexport type JsonObject = { [member: string]: Json }',
    '/** Any JSON value. */\nexport type Json = string | number | boolean | null | Json[] | JsonObject'
  ]
}

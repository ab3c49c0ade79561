/** What the values of JSON variables are where nothing more is known. */
export const JSON_OBJECT_TYPE = 'JsonObject'

/** What anything inside of them is where nothing more is known. */
export const JSON_VALUE_TYPE = 'Json'

/** The declarations of those of these types that a text uses. */
export function generateJsonTypes(text: string): readonly string[] {
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  if (!isUsed(JSON_VALUE_TYPE) && !isUsed(JSON_OBJECT_TYPE)) return []
  return [
    '/** Any JSON object. */\nexport type JsonObject = { [member: string]: Json }',
    '/** Any JSON value. */\nexport type Json = string | number | boolean | null | Json[] | JsonObject'
  ]
}

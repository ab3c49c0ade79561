/** The name of the type of JSON variables without a schema. */
export const JSON_OBJECT_TYPE = 'JsonObject'

/** The name of the type of arbitrary values in JSON variables. */
export const JSON_VALUE_TYPE = 'Json'

/** Returns declarations of the JSON types that the generated text uses. */
export function generateJsonTypes(text: string): readonly string[] {
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  if (!isUsed(JSON_VALUE_TYPE) && !isUsed(JSON_OBJECT_TYPE)) return []
  return [
    '/** Any JSON object. */\nexport type JsonObject = { [member: string]: Json }',
    '/** Any JSON value. */\nexport type Json = string | number | boolean | null | Json[] | JsonObject'
  ]
}

/** Names of user members in the ways in which programs write them. */
const spellings: Readonly<Record<string, string>> = {
  userid: 'user_id',
  id: 'user_id',
  targetingkey: 'user_id',
  appversion: 'appVersion',
  appbuild: 'appBuild',
  platformversion: 'platformVersion',
  devicemodel: 'deviceModel',
  customdata: 'customData',
  privatecustomdata: 'privateCustomData'
}

/** Returns the user of a typed text: JSON in camel or snake case, or a user id. Returns a sentence if it is neither. */
export function parseUser(text: string): Readonly<Record<string, unknown>> | string {
  const trimmed = text.trim()
  if (trimmed === '') return 'give a user ID, or a user as JSON'
  if (!trimmed.startsWith('{')) return { user_id: trimmed }
  try {
    const user: unknown = JSON.parse(trimmed)
    if (typeof user !== 'object' || user === null) return 'write an object, as in { "user_id": "ada" }'
    return Object.fromEntries(Object.entries(user).map(([name, value]) => [spell(name), value]))
  } catch (error) {
    return `this is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
}

function spell(name: string): string {
  return spellings[name.toLowerCase().replaceAll('_', '')] ?? name
}

/** The attributes of users that the form has a field for, in its order. */
export const attributes = [
  { key: 'user_id', title: 'User ID' },
  { key: 'email', title: 'Email' },
  { key: 'country', title: 'Country code' },
  { key: 'platform', title: 'Platform' },
  { key: 'platformVersion', title: 'Platform version' },
  { key: 'deviceModel', title: 'Device model' },
  { key: 'appVersion', title: 'App version' }
] as const

export type Attribute = (typeof attributes)[number]['key']

/** A custom attribute as it is typed. */
export interface CustomRow {
  readonly id: number
  readonly name: string
  readonly value: string
}

/** A user as it is typed: in fields or as JSON. */
export interface UserForm {
  readonly mode: 'fields' | 'json'
  readonly values: Readonly<Partial<Record<Attribute, string>>>
  readonly custom: readonly CustomRow[]
  /** Members without a field, which JSON shows. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly json: string
}

/** A user for an evaluation. */
export type FormUser = Readonly<Record<string, unknown>> & { readonly user_id: string }

export type ParsedUser =
  | { readonly type: 'user'; readonly user: FormUser }
  | { readonly type: 'problem'; readonly message: string }

export const emptyForm: UserForm = { mode: 'fields', values: {}, custom: [], rest: {}, json: '' }

/** Creates the form of a user. */
export function toForm(user: FormUser, mode: UserForm['mode'] = 'fields'): UserForm {
  const values: Partial<Record<Attribute, string>> = {}
  const rest: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(user)) {
    if (key === 'customData' && isObject(value)) continue
    if (isAttribute(key) && typeof value === 'string') values[key] = value
    else if (value !== undefined && value !== null) rest[key] = value
  }
  const custom = Object.entries(isObject(user.customData) ? user.customData : {}).map(([name, value], index) => ({
    id: index + 1,
    name,
    value: formatScalar(value)
  }))
  return { mode, values, custom, rest, json: JSON.stringify(user, null, 2) }
}

/** Returns the user of a form, or what is wrong with it. */
export function userOf(form: UserForm): ParsedUser {
  return form.mode === 'json' ? parseUser(form.json) : checked(fieldsUser(form))
}

/** Returns the form with the other way to type, with the same user. A user that cannot be read stays as it is. */
export function switchMode(form: UserForm, mode: UserForm['mode']): UserForm {
  if (form.mode === mode) return form
  if (mode === 'json') return { ...form, mode, json: JSON.stringify(fieldsUser(form), null, 2) }
  const parsed = form.json.trim() === '' ? undefined : parseUser(form.json)
  if (parsed?.type === 'user') return toForm(parsed.user)
  return parsed ? form : { ...emptyForm, json: form.json }
}

/** Reads a user from JSON: snake case, camel case, or the evaluation context of OpenFeature. */
export function parseUser(text: string): ParsedUser {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return problem(text.trim() === '' ? 'paste a user as JSON' : `this is not JSON: ${(error as SyntaxError).message}`)
  }
  if (!isObject(data)) return problem('a user is an object, as in {"user_id": "ada"}')
  // Requests of SDKs have the user as a member.
  const user = isObject(data.user) && !('user_id' in data) ? data.user : data
  return checked(Object.fromEntries(Object.entries(user).map(([key, value]) => [aliases[key] ?? key, value])))
}

/** The other names of members. */
const aliases: Readonly<Record<string, string>> = {
  userId: 'user_id',
  targetingKey: 'user_id',
  custom_data: 'customData',
  private_custom_data: 'privateCustomData',
  app_version: 'appVersion',
  app_build: 'appBuild',
  platform_version: 'platformVersion',
  device_model: 'deviceModel',
  created_date: 'createdDate',
  last_seen_date: 'lastSeenDate',
  is_anonymous: 'isAnonymous',
  sdk_type: 'sdkType',
  sdk_version: 'sdkVersion'
}

/** Reads a typed value: `true`, `12.5`, text, or text in quotation marks that looks like one of those. */
export function parseScalar(text: string): string | number | boolean {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  if (/^-?\d+(\.\d+)?$/.test(trimmed) && String(Number(trimmed)) === trimmed) return Number(trimmed)
  return /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1) : text
}

/** Writes a value so that `parseScalar` reads it again. */
export function formatScalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? ''
  return parseScalar(value) === value ? value : `"${value}"`
}

function fieldsUser({ values, custom, rest }: UserForm): Readonly<Record<string, unknown>> {
  const filled = attributes.flatMap(({ key }) => (values[key] ? [[key, values[key]] as const] : []))
  const rows = custom.filter(({ name }) => name.trim() !== '')
  const customData = Object.fromEntries(rows.map(({ name, value }) => [name.trim(), parseScalar(value)]))
  return { ...Object.fromEntries(filled), ...rest, ...(rows.length > 0 ? { customData } : {}) }
}

function checked(user: Readonly<Record<string, unknown>>): ParsedUser {
  const { user_id: id } = user
  if (typeof id !== 'string' || id.trim() === '') return problem('a user has a user ID, which decides its share')
  return { type: 'user', user: { ...user, user_id: id } }
}

function problem(message: string): ParsedUser {
  return { type: 'problem', message }
}

function isAttribute(key: string): key is Attribute {
  return attributes.some((attribute) => attribute.key === key)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

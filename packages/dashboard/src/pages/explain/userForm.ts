import { type FormUser, type ParsedUser, parseUser, requireId } from '../../components/explanation/parseUser.ts'
import { isObject } from '../../draft/structure.ts'
import { countryCode } from '../../rules/countries.ts'

/** The attributes of users that the form has a field for, in its order. */
export const attributes = [
  { key: 'user_id', title: 'User ID' },
  { key: 'email', title: 'Email' },
  { key: 'country', title: 'Country' },
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

export const emptyUserForm: UserForm = { mode: 'fields', values: {}, custom: [], rest: {}, json: '' }

/** Creates the form of a user. */
export function toUserForm(user: FormUser, mode: UserForm['mode'] = 'fields'): UserForm {
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
  if (form.mode === 'json') return parseUser(form.json)
  const user = fieldsUser(form)
  if (typeof user.country === 'string' && user.country.length > 2) {
    const message = `No country is called “${user.country}”: enter its English name or its code of two letters.`
    return { type: 'problem', field: 'country', message }
  }
  return requireId(user)
}

/** Returns the form with the other way to type, with the same user. A user that cannot be read stays as it is. */
export function switchMode(form: UserForm, mode: UserForm['mode']): UserForm {
  if (form.mode === mode) return form
  if (mode === 'json') return { ...form, mode, json: JSON.stringify(fieldsUser(form), null, 2) }
  const parsed = form.json.trim() === '' ? undefined : parseUser(form.json)
  if (parsed?.type === 'user') return toUserForm(parsed.user)
  return parsed ? form : { ...emptyUserForm, json: form.json }
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
  const filled = attributes.flatMap(({ key }) => {
    const value = values[key]
    return value ? [[key, key === 'country' ? countryCode(value) : value] as const] : []
  })
  const rows = custom.filter(({ name }) => name.trim() !== '')
  const customData = Object.fromEntries(rows.map(({ name, value }) => [name.trim(), parseScalar(value)]))
  return { ...Object.fromEntries(filled), ...rest, ...(rows.length > 0 ? { customData } : {}) }
}

function isAttribute(key: string): key is Attribute {
  return attributes.some((attribute) => attribute.key === key)
}

import { createHash } from 'node:crypto'
import { type Resources, uniqueKeys } from '../../resources/collections.ts'

/** The table of applied migrations. */
export const MIGRATION_TABLE = 'burgee_schema_migrations'

/** Returns the name of the table of a collection, for example `burgee_audit_entries`. */
export function tableOf(collection: keyof Resources): string {
  return `burgee_${toSnakeCase(collection)}`
}

/** The names of all collections. */
// The type of `uniqueKeys` requires each name of `Resources`, and no other.
export const collectionNames = Object.keys(uniqueKeys) as readonly (keyof Resources)[]

/** Returns the expression for a member of an item as text; null if the item lacks it. */
export function memberText(member: string): string {
  return `(data->>'${assertName(member)}')`
}

/**
 * Returns the expression for a member that is compared with `keyOf` texts, and that indexes of the member contain. Ids of
 * users are compared by digest: the entry of an index has at most 2,704 bytes, and such an id can be longer.
 */
export function memberKey(member: string): string {
  const text = memberText(member)
  return isDigested(member) ? `sha256(replace(${text}, '\\', '\\\\')::bytea)` : text
}

/** Returns what `memberKey` is for a text. */
export function keyOf(member: string, text: string): string | Buffer {
  return isDigested(member) ? createHash('sha256').update(text).digest() : text
}

/** The type of `memberKey`. */
export function keyType(member: string): 'bytea' | 'text' {
  return isDigested(member) ? 'bytea' : 'text'
}

/** The ids that applications choose for their users. */
function isDigested(member: string): boolean {
  return member === 'user_id'
}

/** Returns the expression for a member of an item as JSON; null if the item lacks it. */
export function memberJson(member: string): string {
  return `(data->'${assertName(member)}')`
}

/** Names of members are part of statements, since indexes are on expressions with constants. */
function assertName(member: string): string {
  if (!/^\w+$/.test(member)) throw new Error(`the member ${JSON.stringify(member)} cannot be part of a query`)
  return member
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

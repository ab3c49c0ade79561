import type { AuditLogChange } from '@burgee/contract/schemas'
import { maskSecret } from '../../lib/secrets/mask.ts'
import { type SecretTreatment, secretMembers } from '../../storage/resources/collections.ts'

/** The name of a kind of resource in audit entries. */
export type AuditedResource = NamedBy<AuditLogChange['type']>

type NamedBy<Type> = Type extends `created${infer Name}` ? Name : never

type Contents = NonNullable<AuditLogChange['newContents']>

/** The change that records a created resource. */
export function createdChange(resource: AuditedResource, after: object): AuditLogChange {
  return { type: `created${resource}`, newContents: contentsOf(after), previousContents: null }
}

/** The change that records a deleted resource. */
export function deletedChange(resource: AuditedResource, before: object): AuditLogChange {
  return { type: `deleted${resource}`, newContents: null, previousContents: contentsOf(before) }
}

/**
 * The change that records a modified resource: its identity, and the members that differ with both values. Empty if
 * none differs.
 */
export function modifiedChanges(resource: AuditedResource, before: Identified, after: object): AuditLogChange[] {
  const change = diffContents(before, after)
  const { _id, key } = before
  const metadata = { _id, ...(key === undefined ? {} : { key }) }
  return change ? [{ type: `modified${resource}`, ...change, metadata }] : []
}

interface Identified {
  readonly _id: string
  readonly key?: string
}

/** Returns the members in which two states of a resource differ. */
export function diffContents(
  before: object,
  after: object
): Pick<AuditLogChange, 'newContents' | 'previousContents'> | undefined {
  const [one, other] = [contentsOf(before), contentsOf(after)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const changed = new Set(names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])))
  if (changed.size === 0) return undefined
  return { newContents: partOf(other, changed), previousContents: partOf(one, changed) }
}

function partOf(contents: Contents, names: ReadonlySet<string>): Contents {
  return Object.fromEntries(Object.entries(contents).filter(([name]) => names.has(name)))
}

/** Returns the members of a resource that audit entries contain, with secrets masked. */
function contentsOf(resource: object): Contents {
  // Stored resources are JSON.
  const members: [string, Contents[string]][] = Object.entries(resource)
  return Object.fromEntries(
    members.flatMap(([name, value]) => {
      const treatment = unloggedMembers.has(name) ? 'omit' : secrets.get(name)
      if (treatment === undefined || treatment === 'url') return [[name, value]]
      return treatment === 'mask' && typeof value === 'string' ? [[name, maskSecret(value)]] : []
    })
  )
}

/** Returns the members of a resource that its revision covers: those of audit entries, without any secret. */
export function revisedContents(resource: object): object {
  const contents = Object.entries(contentsOf(resource)).filter(([name]) => !secrets.has(name))
  return Object.fromEntries(contents)
}

const unloggedMembers: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  '_createdBy',
  '_roots',
  'auditHead',
  'warnedOf',
  'isSecretPrivileged',
  // The network that registered a dynamic client is personal data, and the log keeps entries forever.
  'network'
])

/** By member name, regardless of the collection: entries can log a resource under another type. */
const secrets: ReadonlyMap<string, SecretTreatment> = new Map(
  Object.values(secretMembers).flatMap((members) => Object.entries(members))
)

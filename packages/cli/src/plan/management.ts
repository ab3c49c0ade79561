import { ApiError, revisionOf } from '@burgee/contract/client'
import { MAX_MANAGED_RESOURCES, type ManagedResource, type Management } from '@burgee/contract/schemas'
import { digestOf, formatPath, membersOf } from '../document/members.ts'
import { type ProjectDocument, sectionNames, sectionOf, sections } from '../document/projectDocument.ts'
import { ifRevision } from '../run/ifRevision.ts'
import type { Session } from '../run/session.ts'
import type { AppliedItem } from './apply/applyPlan.ts'
import type { KeptItem, OwnershipConflict, Plan } from './difference/createPlan.ts'
import { CLAIMED, fieldsByResource, nameOf } from './difference/managedFields.ts'
import type { OpenPlan } from './openPlan.ts'

/** Who describes the members of a project, as the server keeps it for one label. */
export interface ManagementLog {
  readonly before: Management
  /** Writes resources; those without fields are no longer described. @throws {ApiError} 412 if another run wrote meanwhile. */
  readonly write: (resources: readonly ManagedResource[], takeOver?: boolean) => Promise<void>
}

/** Opens the log of a label. */
export function openManagementLog(
  { client }: Pick<Session, 'client'>,
  { project, label, source, before }: Pick<OpenPlan, 'project' | 'label' | 'source' | 'before'>
): ManagementLog {
  const params = { project, label }
  let revision = revisionOf(before)
  return {
    before,
    write: async (resources, takeOver = false) => {
      // At least one request, which writes the commit.
      for (let first = 0; first === 0 || first < resources.length; first += MAX_MANAGED_RESOURCES) {
        const after = await client.updateManagement({
          params,
          ...ifRevision(revision),
          body: {
            ...source,
            resources: resources.slice(first, first + MAX_MANAGED_RESOURCES),
            ...(takeOver && { takeOver })
          }
        })
        revision = revisionOf(after)
      }
    }
  }
}

/** Whether a claim failed because another run of the same label wrote first. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && error.operation === 'updateManagement' && error.errorType === 'ERR_REVISION'
}

/** Returns the resources that files describe, with the digest of each member. */
export function describedResources(
  document: ProjectDocument,
  { isIgnored, isSelected }: Pick<OpenPlan, 'isIgnored' | 'isSelected'>
): readonly ManagedResource[] {
  return sectionNames.flatMap((section) =>
    Object.entries(document[section]).flatMap(([key, resource]) => {
      const all = membersOf(sections[section], resource).map(({ path, value }) => {
        return { name: formatPath([section, key, ...path]), path, value }
      })
      const selected = all.filter(({ name }) => isSelected(name))
      if (selected.length === 0 && !isSelected(formatPath([section, key]))) return []
      const members = selected.filter(({ name }) => !isIgnored(name))
      const fields = members.map(({ path, value }) => [formatPath(path), digestOf(value)] as const)
      return [{ kind: sections[section], key, fields: Object.fromEntries(fields) }]
    })
  )
}

/** Leaves out the members of conflicts: the files of other labels still describe them. */
export function withoutConflicts(
  described: readonly ManagedResource[],
  conflicts: readonly OwnershipConflict[]
): readonly ManagedResource[] {
  const names = new Set(conflicts.map(({ section, key, path }) => formatPath([section, key, path])))
  return described.map(({ fields, ...resource }) => {
    const path = formatPath([sectionOf(resource.kind), resource.key])
    const own = Object.entries(fields).filter(([name]) => !names.has(`${path}.${name}`))
    return { ...resource, fields: Object.fromEntries(own) }
  })
}

/** Returns the conflicts whose members stay with the other label, since their change did not succeed. */
export function unresolvedConflicts({ conflicts }: Plan, items: readonly AppliedItem[]): readonly OwnershipConflict[] {
  const outcomes = new Map(items.map(({ resource, outcome }) => [resource, outcome]))
  // Members that are as described need no change, and move if nothing else fails.
  const rest = items.every(({ outcome }) => outcome === 'applied') ? 'applied' : 'notStarted'
  return conflicts.filter(({ section, key }) => (outcomes.get(formatPath([section, key])) ?? rest) !== 'applied')
}

/** Returns what changes by claiming members: new ones are marked as not applied yet. */
export function claims(described: readonly ManagedResource[], before: Management): readonly ManagedResource[] {
  const known = fieldsByResource(before)
  return described.flatMap((resource) => {
    const applied = known.get(nameOf(resource)) ?? {}
    const names = Object.keys(resource.fields)
    if (names.every((name) => Object.hasOwn(applied, name))) return []
    const fields = names.map((name) => [name, applied[name] ?? CLAIMED] as const)
    return [{ ...resource, fields: { ...applied, ...Object.fromEntries(fields) } }]
  })
}

/** Returns the resources that differ from what the server keeps. */
export function differences(described: readonly ManagedResource[], before: Management): readonly ManagedResource[] {
  const known = fieldsByResource(before)
  return described.filter((resource) => digestOf(resource.fields) !== digestOf(known.get(nameOf(resource)) ?? {}))
}

/** The inputs of `managedAfter` in addition to the plan and its outcome. */
interface ManagedBefore {
  /** The resources that the files describe. */
  readonly described: readonly ManagedResource[]
  readonly before: Management
  readonly isSelected: (path: string) => boolean
}

/** Returns the management data that the server stores after a plan was applied. */
export function managedAfter(
  { changes, kept }: Plan,
  items: readonly AppliedItem[],
  { described, before, isSelected }: ManagedBefore
): readonly ManagedResource[] {
  const outcomes = new Map(items.map(({ resource, outcome }) => [resource, outcome]))
  const known = fieldsByResource(before)
  const keptOf = groupByResource(kept)
  const after = described.map((resource): ManagedResource => {
    const path = formatPath([sectionOf(resource.kind), resource.key])
    const applied = known.get(nameOf(resource)) ?? {}
    const outcome = outcomes.get(path) ?? 'applied'
    const isDone = outcome === 'applied'
    // A claim ends with the run, unless the change waits for approval.
    const isClaimKept = isDone || outcome === 'requested'
    const keptNames = (keptOf.get(path) ?? []).map((item) => formatPath(item.path))
    const isKept = (name: string) => keptNames.some((one) => name === one || name.startsWith(`${one}.`))
    const fields = Object.entries(resource.fields).flatMap(([name, digest]): readonly (readonly [string, string])[] => {
      if (isDone && !isKept(name)) return [[name, digest]]
      const last = applied[name] ?? (isClaimKept ? CLAIMED : undefined)
      return last === undefined ? [] : [[name, last]]
    })
    const stays = Object.entries(applied).filter(([name]) => isKept(name) || !isSelected(`${path}.${name}`))
    return { ...resource, fields: { ...Object.fromEntries(stays), ...Object.fromEntries(fields) } }
  })
  const deleted = changes.flatMap(({ section, kind, key, action }) => {
    const isDeleted = action === 'delete' && outcomes.get(formatPath([section, key])) === 'applied'
    return isDeleted ? [{ kind, key, fields: {} }] : []
  })
  return [...after, ...deleted]
}

function groupByResource(kept: readonly KeptItem[]): ReadonlyMap<string, readonly KeptItem[]> {
  const groups = new Map<string, KeptItem[]>()
  for (const item of kept) {
    const path = formatPath([item.section, item.key])
    groups.set(path, [...(groups.get(path) ?? []), item])
  }
  return groups
}

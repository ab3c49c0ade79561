import type { ManagedKind, Management } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { digestOf, formatPath, isEqual, type Member, membersOf, valueAt } from '../document/members.ts'
import {
  indexVariables,
  type ProjectDocument,
  type Resource,
  type Section,
  sectionNames,
  sectionOf,
  sections
} from '../document/projectDocument.ts'
import { CLAIMED, fieldsByResource, nameOf } from './project/managedFields.ts'

/** What to do with members that were changed by hand since they were applied. */
export const driftModes = ['put-back', 'keep', 'fail'] as const
export type DriftMode = (typeof driftModes)[number]

/** One member that differs between the files and the server. */
export interface MemberChange {
  readonly path: readonly string[]
  /** `undefined` if the server has no such member. */
  readonly before: unknown
  /** `undefined` if the member is removed. */
  readonly after: unknown
  /** Whether it was changed by hand since it was applied. */
  readonly isDrift: boolean
}

/** A resource that differs between the files and the server. */
export interface ResourceChange {
  readonly section: Section
  readonly kind: ManagedKind
  readonly key: string
  readonly action: 'create' | 'update' | 'archive' | 'delete'
  readonly members: readonly MemberChange[]
}

/** A resource or a member that the files do not describe any more, and that stays. */
export interface KeptItem {
  readonly section: Section
  readonly key: string
  readonly path: readonly string[]
  readonly reason: 'onRemoved' | 'allowDelete' | 'drift' | 'settings'
}

/** A member that the files of another label describe. */
export interface OwnershipConflict {
  readonly section: Section
  readonly key: string
  readonly path: string
  readonly label: string
}

/** The difference between files and a project. */
export interface Plan {
  readonly changes: readonly ResourceChange[]
  readonly kept: readonly KeptItem[]
  readonly conflicts: readonly OwnershipConflict[]
}

export interface PlanOptions {
  readonly label: string
  /** Whether `manage.ignore` of the files excludes a path. */
  readonly isIgnored: (path: string) => boolean
  readonly onRemoved: 'keep' | 'archive' | 'delete'
  readonly allowDelete: boolean
  readonly drift: DriftMode
  /** Whether the plan is about a path. */
  readonly isSelected: (path: string) => boolean
}

/** Compares what files describe with a project. @param management Who describes which members. */
export function createPlan(
  files: ProjectDocument,
  server: ProjectDocument,
  management: readonly Management[],
  options: PlanOptions
): Plan {
  const own = management.find(({ label }) => label === options.label)
  const applied = new Map((own?.resources ?? []).map((one) => [`${one.kind} ${one.key}`, one.fields]))
  const carried = indexVariables(files)
  const others = management
    .filter(({ label }) => label !== options.label)
    .map((one) => ({ label: one.label, fields: fieldsByResource(one) }))
  const changes: ResourceChange[] = []
  const kept: KeptItem[] = []
  const conflicts: OwnershipConflict[] = []
  for (const section of sectionNames) {
    for (const [key, resource] of Object.entries(files[section])) compare(section, key, resource)
  }
  for (const { kind, key } of own?.resources ?? []) {
    const section = sectionOf(kind)
    const before = server[section][key]
    const isSelected = options.isSelected(formatPath([section, key]))
    if (before && !files[section][key] && isSelected) remove(section, key, before)
  }
  return { changes, kept, conflicts }

  function compare(section: Section, key: string, resource: Resource): void {
    const kind = sections[section]
    const before = server[section][key]
    const fields = applied.get(`${kind} ${key}`) ?? {}
    const members = describedMembers(section, key, resource)
    if (members.length === 0 && !options.isSelected(formatPath([section, key]))) return
    conflicts.push(...findConflicts(section, key, members))
    const changed = members.flatMap(({ path, value }): readonly MemberChange[] => {
      const current = valueAt(before, path)
      if (before && isEqual(current, value)) return []
      const last = fields[formatPath(path)]
      const isDrift = before !== undefined && last !== undefined && last !== CLAIMED && last !== digestOf(current)
      if (isDrift && options.drift === 'keep') {
        kept.push({ section, key, path, reason: 'drift' })
        return []
      }
      return [{ path, before: current, after: value, isDrift }]
    })
    const removed = before ? removedEntries(section, key, resource, before, fields) : []
    if (changed.length + removed.length === 0 && before) return
    changes.push({ section, kind, key, action: before ? 'update' : 'create', members: [...changed, ...removed] })
  }

  function describedMembers(section: Section, key: string, resource: Resource): readonly Member[] {
    return membersOf(sections[section], resource).filter(({ path }) => {
      const name = formatPath([section, key, ...path])
      return options.isSelected(name) && !options.isIgnored(name)
    })
  }

  function findConflicts(section: Section, key: string, members: readonly Member[]): readonly OwnershipConflict[] {
    return others.flatMap(({ label, fields: described }) => {
      const fields = described.get(nameOf({ kind: sections[section], key })) ?? {}
      const paths = members.map(({ path }) => formatPath(path)).filter((path) => Object.hasOwn(fields, path))
      return paths.map((path) => ({ section, key, path, label }))
    })
  }

  /** Returns variables and variations of a feature that the files described and do not describe any more. */
  function removedEntries(
    section: Section,
    key: string,
    resource: Resource,
    before: Resource,
    fields: Readonly<Record<string, string>>
  ): readonly MemberChange[] {
    if (section !== 'features') return []
    return (['variations', 'variables'] as const).flatMap((member) => {
      const [described, existing] = [resource[member], before[member]]
      if (!isRecord(described) || !isRecord(existing)) return []
      const gone = Object.keys(existing).filter((name) => {
        const prefix = `${member}.${name}.`
        const isSelected = options.isSelected(formatPath([section, key, member, name]))
        return (
          isSelected && !Object.hasOwn(described, name) && Object.keys(fields).some((path) => path.startsWith(prefix))
        )
      })
      return gone.flatMap((name): readonly MemberChange[] => {
        const path = [member, name]
        if (options.onRemoved === 'delete' && options.allowDelete) {
          return [{ path, before: existing[name], after: undefined, isDrift: false }]
        }
        kept.push({ section, key, path, reason: options.onRemoved === 'delete' ? 'allowDelete' : 'onRemoved' })
        return []
      })
    })
  }

  function remove(section: Section, key: string, before: Resource): void {
    // A variable that a feature carries now is described there.
    if (section === 'variables' && carried.has(key)) return
    const kind = sections[section]
    const { onRemoved, allowDelete } = options
    if (section === 'settings') return void kept.push({ section, key, path: [], reason: 'settings' })
    const canArchive = section === 'features' || section === 'variables'
    if (onRemoved === 'delete' && allowDelete) {
      changes.push({ section, kind, key, action: 'delete', members: [] })
    } else if (onRemoved === 'archive' && canArchive) {
      if (before.status !== 'archived') changes.push({ section, kind, key, action: 'archive', members: [] })
    } else {
      kept.push({ section, key, path: [], reason: onRemoved === 'delete' ? 'allowDelete' : 'onRemoved' })
    }
  }
}

/** Whether members were changed by hand since they were applied. */
export function hasDrift({ changes }: Plan): boolean {
  return changes.some(({ members }) => members.some(({ isDrift }) => isDrift))
}

import type { ManagedKind, Management } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { digestOf, formatPath, isEqual, type Member, membersOf, valueAt } from '../../document/members.ts'
import {
  indexVariables,
  type ProjectDocument,
  type Resource,
  type Section,
  sectionNames,
  sectionOf,
  sections
} from '../../document/projectDocument.ts'
import { CLAIMED, fieldsByResource, nameOf } from './managedFields.ts'

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
  /** The environments in which a feature that would be deleted is on: `burgee apply` then needs `--force`. */
  readonly onIn?: readonly string[]
}

/** A resource or a member that the files no longer describe, and that is kept. */
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
  const applied = own ? fieldsByResource(own) : new Map<string, Fields>()
  const others = management
    .filter(({ label }) => label !== options.label)
    .map((one) => ({ label: one.label, fields: fieldsByResource(one) }))
  const described = sectionNames.flatMap((section) =>
    Object.entries(files[section]).map(([key, resource]): DescribedResource => {
      const fields = applied.get(nameOf({ kind: sections[section], key })) ?? {}
      return { section, key, resource, before: ownValue(server[section], key), fields }
    })
  )
  const carried = indexVariables(files)
  const removed = (own?.resources ?? []).flatMap(({ kind, key }): readonly RemovedResource[] => {
    const section = sectionOf(kind)
    const before = ownValue(server[section], key)
    // A variable that a feature carries now is described there.
    const isDescribed = Object.hasOwn(files[section], key) || (section === 'variables' && carried.has(key))
    const isSelected = options.isSelected(formatPath([section, key]))
    return before && !isDescribed && isSelected ? [{ section, key, before }] : []
  })
  const parts = [
    ...described.map((one) => compareResource(one, others, options)),
    ...removed.map((one) => planRemoval(one, options))
  ]
  return {
    changes: parts.flatMap(({ changes }) => changes),
    kept: parts.flatMap(({ kept }) => kept),
    conflicts: parts.flatMap(({ conflicts }) => conflicts)
  }
}

/** Returns a value of a record. Webhooks can be named like members of `Object.prototype`. */
function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

type Fields = Readonly<Record<string, string>>

/** A resource of the files and its counterpart on the server. */
interface DescribedResource {
  readonly section: Section
  readonly key: string
  readonly resource: Resource
  /** `undefined` if it does not exist yet. */
  readonly before: Resource | undefined
  /** The digests of its members when they were applied. */
  readonly fields: Fields
}

/** A resource that the files no longer describe. */
interface RemovedResource extends Pick<DescribedResource, 'section' | 'key'> {
  readonly before: Resource
}

/** The resources that the files of another label describe. */
interface OtherLabel {
  readonly label: string
  readonly fields: ReadonlyMap<string, Fields>
}

const EMPTY: Plan = { changes: [], kept: [], conflicts: [] }

/** Returns the part of a plan that is about a resource of the files. */
function compareResource(described: DescribedResource, others: readonly OtherLabel[], options: PlanOptions): Plan {
  const { section, key, before } = described
  const members = selectedMembers(described, options)
  if (members.length === 0 && !options.isSelected(formatPath([section, key]))) return EMPTY
  const differing = differingMembers(members, described)
  const isKept = ({ isDrift }: MemberChange) => isDrift && options.drift === 'keep'
  const removed = removedEntries(described, options)
  const isRemovalKept = !canDelete(options)
  const changed = [...differing.filter((change) => !isKept(change)), ...(isRemovalKept ? [] : removed)]
  const kept = [
    ...differing.filter(isKept).map(({ path }) => ({ section, key, path, reason: 'drift' as const })),
    ...(isRemovalKept ? removed : []).map(({ path }) => ({ section, key, path, reason: reasonToKeep(options) }))
  ]
  const action = before ? ('update' as const) : ('create' as const)
  const isChange = changed.length > 0 || !before
  return {
    changes: isChange ? [{ section, kind: sections[section], key, action, members: changed }] : [],
    kept,
    conflicts: findConflicts(described, members, others)
  }
}

function selectedMembers({ section, key, resource }: DescribedResource, options: PlanOptions): readonly Member[] {
  return membersOf(sections[section], resource).filter(({ path }) => {
    const name = formatPath([section, key, ...path])
    return options.isSelected(name) && !options.isIgnored(name)
  })
}

function differingMembers(members: readonly Member[], { before, fields }: DescribedResource): readonly MemberChange[] {
  return members.flatMap(({ path, value }): readonly MemberChange[] => {
    const current = valueAt(before, path)
    if (before && isEqual(current, value)) return []
    const last = fields[formatPath(path)]
    const isDrift = before !== undefined && last !== undefined && last !== CLAIMED && last !== digestOf(current)
    return [{ path, before: current, after: value, isDrift }]
  })
}

/** Returns the removals of variables and variations of a feature that the files no longer describe. */
function removedEntries(
  { section, key, resource, before, fields }: DescribedResource,
  { isSelected }: PlanOptions
): readonly MemberChange[] {
  if (section !== 'features') return []
  return (['variations', 'variables'] as const).flatMap((member) => {
    const [described, existing] = [resource[member], before?.[member]]
    if (!isRecord(described) || !isRecord(existing)) return []
    const removed = Object.keys(existing).filter((name) => {
      const wasDescribed = Object.keys(fields).some((path) => path.startsWith(`${member}.${name}.`))
      return wasDescribed && !Object.hasOwn(described, name) && isSelected(formatPath([section, key, member, name]))
    })
    return removed.map((name) => ({ path: [member, name], before: existing[name], after: undefined, isDrift: false }))
  })
}

function findConflicts(
  { section, key }: DescribedResource,
  members: readonly Member[],
  others: readonly OtherLabel[]
): readonly OwnershipConflict[] {
  return others.flatMap(({ label, fields }) => {
    const known = fields.get(nameOf({ kind: sections[section], key })) ?? {}
    const paths = members.map(({ path }) => formatPath(path)).filter((path) => Object.hasOwn(known, path))
    return paths.map((path) => ({ section, key, path, label }))
  })
}

/** Returns the part of a plan that is about a resource that the files no longer describe. */
function planRemoval({ section, key, before }: RemovedResource, options: PlanOptions): Plan {
  const onIn = section === 'features' ? environmentsOn(before) : []
  const keep = (reason: KeptItem['reason']): Plan => ({ ...EMPTY, kept: [{ section, key, path: [], reason }] })
  const change = (action: 'archive' | 'delete'): Plan => ({
    ...EMPTY,
    changes: [
      {
        section,
        kind: sections[section],
        key,
        action,
        members: [],
        ...(action === 'delete' && onIn.length > 0 && { onIn })
      }
    ]
  })

  if (section === 'settings') return keep('settings')
  if (canDelete(options)) return change('delete')
  const canArchive = section === 'features' || section === 'variables'
  if (options.onRemoved !== 'archive' || !canArchive) return keep(reasonToKeep(options))
  return before.status === 'archived' ? EMPTY : change('archive')
}

function environmentsOn({ status, environments }: Resource): readonly string[] {
  if (status === 'archived' || !isRecord(environments)) return []
  return Object.entries(environments).flatMap(([key, one]) => (isRecord(one) && one.status === 'on' ? [key] : []))
}

function canDelete({ onRemoved, allowDelete }: PlanOptions): boolean {
  return onRemoved === 'delete' && allowDelete
}

function reasonToKeep({ onRemoved }: PlanOptions): 'allowDelete' | 'onRemoved' {
  return onRemoved === 'delete' ? 'allowDelete' : 'onRemoved'
}

/** Whether members were changed by hand since they were applied. */
export function hasDrift({ changes }: Plan): boolean {
  return changes.some(({ members }) => members.some(({ isDrift }) => isDrift))
}

import type { AuditLogChange } from '@burgee/contract/schemas'
import { changeTitle } from '../diff/changeWords.ts'

type Contents = Readonly<Record<string, unknown>>

/** A change of a feature in a few words, for example "adds target “Canada”" or "turns it on in Production". */
export function changeLine(change: AuditLogChange, environments: ReadonlyMap<string, string> = new Map()): string {
  const { type, _environments = [] } = change
  const before: Contents = change.previousContents ?? {}
  const after: Contents = change.newContents ?? {}
  const names = _environments.flatMap((id) => environments.get(id) ?? []).join(', ')
  const place = names && ` in ${names}`
  switch (type) {
    case 'enabledEnvironment':
      return `turns it on${place}`
    case 'disabledEnvironment':
      return `turns it off${place}`
    case 'killedFeature':
      return 'kills it'
    case 'reorderedTargets':
      return 'reorders the targets'
    case 'addedTarget':
    case 'modifiedTarget':
    case 'removedTarget':
      return describeTargets(type, [after.targets, before.targets].find(Array.isArray) ?? [])
    case 'modifiedFeatureStatus':
      return after.status === 'archived' ? 'archives it' : `makes it ${String(after.status)}`
    case 'modifiedVariable':
      return isArchiving(after.variables) ? 'archives its variables' : changeTitle(type)
    case 'modifiedFeature':
      return describeTags(texts(before.tags), texts(after.tags)) || 'changes its details'
    default:
      return changeTitle(type)
  }
}

const verbs = { addedTarget: 'adds', modifiedTarget: 'changes', removedTarget: 'removes' } as const

function describeTargets(type: keyof typeof verbs, targets: readonly unknown[]): string {
  const names = targets.flatMap((target) => Object(target).name ?? []).map((name) => `“${String(name)}”`)
  if (names.length < targets.length)
    return `${verbs[type]} ${targets.length === 1 ? 'a target' : `${targets.length} targets`}`
  return `${verbs[type]} ${names.length === 1 ? 'target' : 'targets'} ${names.join(', ')}`
}

/** Whether variables become archived, as those of an archived feature do. */
function isArchiving(variables: unknown): boolean {
  return Array.isArray(variables) && variables.every((variable) => Object(variable).status === 'archived')
}

function describeTags(before: readonly string[], after: readonly string[]): string {
  const list = (tags: readonly string[]) => tags.map((tag) => `#${tag}`).join(', ')
  const added = after.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !after.includes(tag))
  return [
    ...(added.length > 0 ? [`adds ${list(added)}`] : []),
    ...(removed.length > 0 ? [`removes ${list(removed)}`] : [])
  ].join(', ')
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

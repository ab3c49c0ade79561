import type { Project, UpdateProjectSettings } from '@burgee/contract/schemas'
import { isObject, memberNames, memberOf } from '../../../draft/structure.ts'

type Settings = Project['settings']

/** The settings that a group of the page changes. */
export type SettingsChange = Partial<UpdateProjectSettings['settings']>

/** Returns the settings after a change. Lists and the map of environments are replaced, as the server does. */
export function applyChange(settings: Settings, change: SettingsChange): Settings {
  // The change has the members of settings, each with the type of the one that it replaces.
  return merge(settings, change) as Settings
}

function merge(before: object, change: object): object {
  const merged = new Map<string, unknown>(Object.entries(before))
  for (const [name, value] of Object.entries(change)) {
    const isGroup = isObject(value) && name !== 'environmentMap'
    if (value === null) merged.delete(name)
    else merged.set(name, isGroup ? merge(Object(memberOf(before, name)), value) : value)
  }
  return Object.fromEntries(merged)
}

/** Returns the change that undoes a change; `undefined` where the API has no way to remove what it adds. */
export function inverseOf(settings: Settings, change: SettingsChange): SettingsChange | undefined {
  const inverse = restore(settings, change, false)
  return inverse as SettingsChange | undefined
}

/** Members of staleness return to their defaults with `null`. Others that were absent cannot be removed. */
function restore(before: unknown, change: object, isResettable: boolean): object | undefined {
  const members: [string, unknown][] = []
  for (const name of memberNames(change)) {
    const was = memberOf(before, name)
    const next = memberOf(change, name)
    const canReset = isResettable || name === 'staleness'
    const value = isObject(next) && isObject(was) && name !== 'environmentMap' ? restore(was, next, canReset) : was
    if (value === undefined && !canReset) return undefined
    members.push([name, value ?? null])
  }
  return Object.fromEntries(members)
}

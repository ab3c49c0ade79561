import type {
  ProjectSettings,
  UpdateProject,
  UpdateProjectSettings,
  UpdateProtectedSettings
} from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { defaultColors } from './defaultSettings.ts'

/** A partial update of the settings of a project. */
export type SettingsInput =
  | NonNullable<UpdateProject['settings']>
  | UpdateProjectSettings['settings']
  | UpdateProtectedSettings['settings']

/** Merges settings at every depth. `null` removes a member; lists and maps are replaced as a whole. */
export function mergeSettings(settings: ProjectSettings, given: SettingsInput = {}): ProjectSettings {
  // The contract's schemas gave each member the type of the one it replaces.
  const merged = merge(settings, given) as ProjectSettings
  const { colors } = merged.optIn
  return colors ? { ...merged, optIn: { ...merged.optIn, colors: { ...defaultColors, ...colors } } } : merged
}

function merge(settings: object, given: object): object {
  const merged = new Map<string, unknown>(Object.entries(settings))
  for (const [name, value] of Object.entries(given)) {
    const kept = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isRecord(value) && !maps.includes(name) ? merge(isRecord(kept) ? kept : {}, value) : value)
  }
  return Object.fromEntries(merged)
}

/** Members that are maps. Merged, they could never lose an entry. */
const maps: readonly string[] = ['environmentMap']

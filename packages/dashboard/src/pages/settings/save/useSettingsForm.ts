import { type Edits, useEdits } from '../../../components/settings/useEdits.ts'
import { useProject } from '../ProjectContext.ts'
import type { SettingsChange } from './settingsChange.ts'
import { type SaveSettings, type SettingsKind, useSaveSettings } from './useSaveSettings.ts'

/** The props of `ProjectSettingsForm` that follow from the edits. */
interface Frame {
  readonly isChanged: boolean
  readonly onDiscard: () => void
  readonly restoredAt: number | undefined
  readonly save: SaveSettings
  readonly change: SettingsChange
}

/** A group of settings of the project: its edits, and the frame that saves them. */
export interface SettingsGroup<Form extends object> extends Pick<Edits<Form>, 'form' | 'set'> {
  readonly frame: Frame
}

/** Edits a group of settings. `name` identifies the edits in the storage of the browser; `toChange` converts them to the body of the request. */
export function useSettingsForm<Form extends object>(
  name: string,
  kind: SettingsKind,
  saved: Form,
  toChange: (form: Form, changed: readonly (keyof Form)[]) => SettingsChange
): SettingsGroup<Form> {
  const project = useProject()
  const edits = useEdits(`settings/${project._id}/${name}`, saved)
  const { form, changed, set, discard, restoredAt } = edits
  const save = useSaveSettings(project, kind, edits)
  const frame = { isChanged: changed.length > 0, onDiscard: discard, restoredAt, save, change: toChange(form, changed) }
  return { form, set, frame }
}

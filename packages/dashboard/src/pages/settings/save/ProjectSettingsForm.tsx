import type { ComponentProps } from 'react'
import { SettingsForm } from '../../../components/settings/SettingsForm.tsx'
import { BeforeSave, SettingsSaveDialogs } from './SettingsSaveDialogs.tsx'
import type { SettingsChange } from './settingsChange.ts'
import type { SaveSettings } from './useSaveSettings.ts'

interface Props extends Omit<ComponentProps<typeof SettingsForm>, 'isBusy' | 'action' | 'onSave' | 'before'> {
  readonly save: SaveSettings
  readonly change: SettingsChange
  /** Whether the form can be saved. Its fields show what is wrong. */
  readonly isValid?: boolean
  /** The fields that show their own problems. */
  readonly fields?: readonly string[]
}

/** A group of settings of a project that approvals can cover, with the questions before it is saved. */
export function ProjectSettingsForm({ save, change, isValid = true, fields = [], ...form }: Props) {
  return (
    <>
      <SettingsForm
        {...form}
        isBusy={save.isBusy}
        onSave={() => isValid && save.start(change)}
        action={save.needsApproval(change) ? 'Request change…' : 'Save'}
        before={<BeforeSave save={save} change={change} fields={fields} />}
      />
      <SettingsSaveDialogs save={save} />
    </>
  )
}

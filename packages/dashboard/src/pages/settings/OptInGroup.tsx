import { issueAt } from '../../api/issues.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import { ColorField } from '../../components/settings/ColorField.tsx'
import styles from '../../components/settings/Settings.module.css'
import { useProject } from './ProjectContext.ts'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import type { SettingsChange } from './save/settingsChange.ts'
import { useSettingsForm } from './save/useSettingsForm.ts'

const alignments = [
  { value: 'center', label: 'Centre' },
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
  { value: 'hidden', label: 'Hidden' }
] as const

/** Whether users can opt in to features, and the texts and colours of the page where they do. */
export function OptInGroup({ reason }: { readonly reason: string | undefined }) {
  const {
    enabled,
    title = '',
    description = '',
    imageURL = '',
    colors,
    poweredByAlignment = 'center'
  } = useProject().settings.optIn
  const saved = {
    enabled,
    title,
    description,
    imageURL,
    primary: colors?.primary ?? '',
    secondary: colors?.secondary ?? '',
    poweredByAlignment
  }
  const { form, set, frame } = useSettingsForm('opt-in', 'open', saved, toChange)
  const error = (name: string) => issueAt(frame.save.error, `settings.optIn.${name}`)
  return (
    <ProjectSettingsForm
      title="Opt-in"
      docs="reference/delivery.md#opt-in"
      lead="Applications can offer a page where users opt in to features before everyone gets them."
      reason={reason}
      {...frame}
      fields={['settings.optIn']}
    >
      <CheckField
        label="Users can opt in to features"
        isChecked={form.enabled}
        onChange={(isOn) => set({ enabled: isOn })}
        hint="A feature must allow it, too, in its own settings."
      />
      {form.enabled && (
        <div className={styles.group}>
          <TextField
            label="Title of the page"
            value={form.title}
            onChange={(text) => set({ title: text })}
            maxLength={100}
            error={error('title')}
          />
          <TextAreaField
            label="Text of the page"
            rows={2}
            value={form.description}
            onChange={(text) => set({ description: text })}
            error={error('description')}
          />
          <TextField
            label="Image URL"
            type="url"
            placeholder="https://"
            value={form.imageURL}
            onChange={(text) => set({ imageURL: text })}
            error={error('imageURL')}
          />
          <div className={styles.pair}>
            <ColorField
              label="Primary colour"
              value={form.primary}
              onChange={(primary) => set({ primary })}
              error={error('colors.primary')}
            />
            <ColorField
              label="Secondary colour"
              value={form.secondary}
              onChange={(secondary) => set({ secondary })}
              error={error('colors.secondary')}
            />
          </div>
          <SelectField
            label="Position of the product name"
            value={form.poweredByAlignment}
            options={alignments}
            onChange={(chosen) => set({ poweredByAlignment: chosen })}
          />
        </div>
      )}
    </ProjectSettingsForm>
  )
}

/** Sends the edited members only. Both colours are members of one object. */
function toChange<Form extends Readonly<Record<'primary' | 'secondary', string>>>(
  form: Form,
  changed: readonly (keyof Form)[]
): SettingsChange {
  const members = changed.filter((name) => name !== 'primary' && name !== 'secondary')
  const shades = (['primary', 'secondary'] as const).filter((name) => changed.includes(name))
  return {
    optIn: {
      ...Object.fromEntries(members.map((name) => [name, form[name]])),
      ...(shades.length > 0 ? { colors: Object.fromEntries(shades.map((name) => [name, form[name]])) } : {})
    }
  }
}

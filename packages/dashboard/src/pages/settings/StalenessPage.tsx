import { Link, useParams } from '@tanstack/react-router'
import { issueAt } from '../../api/issues.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { CheckField, TextField } from '../../components/Field.tsx'
import { useProject } from './ProjectContext.ts'
import styles from './Staleness.module.css'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import { useSettingsForm } from './save/useSettingsForm.ts'
import {
  problemOf,
  type ReasonForm,
  reasons,
  type StalenessForm,
  stalenessChange,
  toStalenessForm
} from './stalenessForm.ts'

/** The settings for the detection of stale features. */
export function StalenessPage() {
  const project = useProject()
  const reason = useMissingPermission('project:write:settings', project.key)
  const { org = '' } = useParams({ strict: false })
  const saved: StalenessForm = toStalenessForm(project.settings.staleness)
  const { form, set, frame } = useSettingsForm('staleness', 'protected', saved, (form, changed) => ({
    staleness: stalenessChange(form, changed)
  }))
  const hasProblem = reasons.some(({ name, types, max }) =>
    [form[name].days, ...types.map((type) => form[name].types[type])].some((text) => problemOf(text, max))
  )
  return (
    <>
      <ProjectSettingsForm
        title="Stale features"
        docs="guides/stale-features.md"
        lead="A stale feature has served its purpose, and its code can be removed. The server lists stale features, and counts them in its metrics."
        reason={reason}
        {...frame}
        isValid={!hasProblem}
        fields={['settings.staleness']}
      >
        <CheckField
          label="Find stale features"
          isChecked={form.enabled}
          onChange={(enabled) => set({ enabled })}
          hint="Everyone who can read the project sees them. Nothing is changed or removed."
        />
        {form.enabled &&
          reasons.map((row) => (
            <Reason
              key={row.name}
              row={row}
              value={form[row.name]}
              onChange={(value) => set({ [row.name]: value })}
              errorAt={(path) => issueAt(frame.save.error, `settings.staleness.${row.name}.${path}`)}
            />
          ))}
      </ProjectSettingsForm>
      <p>
        <Link to="/o/$org/p/$project/stale" params={{ org, project: project.key }}>
          Stale features of this project
        </Link>
      </p>
    </>
  )
}

interface ReasonProps {
  readonly row: (typeof reasons)[number]
  readonly value: ReasonForm
  readonly onChange: (value: ReasonForm) => void
  readonly errorAt: (path: string) => string | undefined
}

/** One reason: on or off, the days, and the days of single types. */
function Reason({ row, value, onChange, errorAt }: ReasonProps) {
  const { title, hint, types, max } = row
  return (
    <div className={styles.reason}>
      <CheckField
        label={title}
        hint={hint}
        isChecked={value.enabled}
        onChange={(enabled) => onChange({ ...value, enabled })}
      />
      {value.enabled && (
        <div className={styles.days}>
          <TextField
            label="Days"
            inputMode="numeric"
            placeholder="default"
            value={value.days}
            onChange={(days) => onChange({ ...value, days })}
            error={problemOf(value.days, max) ?? errorAt('days')}
          />
          {types.map((type) => (
            <TextField
              key={type}
              label={`Days, ${type}`}
              inputMode="numeric"
              placeholder={value.days.trim() === '' ? 'default' : value.days}
              value={value.types[type] ?? ''}
              onChange={(days) => onChange({ ...value, types: { ...value.types, [type]: days } })}
              error={problemOf(value.types[type], max) ?? errorAt(`types.${type}`)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

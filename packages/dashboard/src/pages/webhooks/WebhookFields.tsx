import type { WebhookEvent } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { issueAt } from '../../api/issues.ts'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Button } from '../../components/Button.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/Field.tsx'
import { eventGroups } from './events.ts'
import { addressHint, type WebhookForm } from './form.ts'
import styles from './Webhooks.module.css'

interface Props {
  readonly form: WebhookForm
  readonly onEdit: (edit: Partial<WebhookForm>) => void
  readonly error: Error | null
}

const formats = [
  { value: 'json', label: 'JSON with all details' },
  { value: 'chat', label: 'Text for chat systems' }
] as const

/** The fields of a webhook. */
export function WebhookFields({ form, onEdit: set, error }: Props) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        error={issueAt(error, 'name')}
        autoFocus
      />
      <TextField
        label="URL"
        type="url"
        isCode
        placeholder="https://example.com/hooks/features"
        value={form.url}
        onChange={(url) => set({ url })}
        hint={addressHint(form.url)}
        error={issueAt(error, 'url')}
      />
      <TextAreaField
        label="Description"
        rows={2}
        value={form.description}
        onChange={(description) => set({ description })}
        error={issueAt(error, 'description')}
      />
      <EventFields events={form.events} onChange={(events) => set({ events })} />
      <Scope form={form} set={set} error={error} />
      <SelectField
        label="Format"
        value={form.format}
        options={formats}
        onChange={(format) => set({ format })}
        error={issueAt(error, 'outputFormat')}
      />
    </>
  )
}

interface EventProps {
  readonly events: readonly WebhookEvent[]
  readonly onChange: (events: readonly WebhookEvent[]) => void
}

function EventFields({ events, onChange }: EventProps) {
  return eventGroups.map((group) => {
    const names = group.events.map(([event]) => event)
    const isAll = names.every((name) => events.includes(name))
    const without = events.filter((event) => !names.includes(event))
    return (
      <fieldset key={group.title} className={styles.group}>
        <legend>{group.title}</legend>
        <Button
          kind="quiet"
          className={styles.all}
          aria-label={`${isAll ? 'None' : 'All'} of: ${group.title}`}
          onClick={() => onChange(isAll ? without : [...without, ...names])}
        >
          {isAll ? 'None' : 'All'}
        </Button>
        <div className={styles.checks}>
          {group.events.map(([event, title]) => (
            <CheckField
              key={event}
              label={title}
              isChecked={events.includes(event)}
              onChange={(isChecked) =>
                onChange(isChecked ? [...events, event] : events.filter((other) => other !== event))
              }
            />
          ))}
        </div>
      </fieldset>
    )
  })
}

interface ScopeProps {
  readonly form: WebhookForm
  readonly set: (edit: Partial<WebhookForm>) => void
  readonly error: Error | null
}

/** The feature and the environments whose changes are sent. */
function Scope({ form, set, error }: ScopeProps) {
  const { project = '' } = useParams({ strict: false })
  const { data: features = [] } = useRead('listFeatures', { params: { project }, query: { perPage: 1000 } })
  const { data: environments = [] } = useEnvironments(project)
  return (
    <>
      <SelectField
        label="Feature"
        value={form.feature}
        options={[
          { value: '', label: 'All features' },
          ...features.map(({ _id, name }) => ({ value: _id, label: name })),
          ...(form.feature !== '' && !features.some(({ _id }) => _id === form.feature)
            ? [{ value: form.feature, label: form.feature }]
            : [])
        ]}
        onChange={(feature) => set({ feature })}
        error={issueAt(error, '_feature')}
      />
      <fieldset className={styles.group}>
        <legend>Environments</legend>
        <p className={styles.soft}>
          {form.environments.length === 0
            ? 'Changes in all environments are sent.'
            : 'Only changes in the chosen environments are sent.'}
        </p>
        <div className={styles.checks}>
          {environments.map(({ _id, name }) => (
            <CheckField
              key={_id}
              label={name}
              isChecked={form.environments.includes(_id)}
              onChange={(isChecked) =>
                set({
                  environments: isChecked
                    ? [...form.environments, _id]
                    : form.environments.filter((other) => other !== _id)
                })
              }
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

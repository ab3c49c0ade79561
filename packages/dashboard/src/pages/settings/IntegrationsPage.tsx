import type { Environment } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { CheckField, SelectField } from '../../components/Field.tsx'
import { IssueTracker } from '../../components/integrations/IssueTracker.tsx'
import { Section } from '../../components/Page.tsx'
import styles from '../../components/settings/Settings.module.css'
import { useEdits } from '../../components/settings/useEdits.ts'
import { useProject } from './ProjectContext.ts'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import type { SettingsChange } from './save/settingsChange.ts'
import { useSaveSettings } from './save/useSaveSettings.ts'

/** The issue tracker of a project, and the observability systems that its environments report to. */
export function IntegrationsPage() {
  const { key } = useProject()
  const environments = useEnvironments(key).data
  return (
    <>
      <Tracker />
      {environments && <Observability environments={environments} />}
    </>
  )
}

function Tracker() {
  const project = useProject()
  const { hasIssueTrackerIntegration, issueTrackerBaseUrl } = project
  const reason = useMissingPermission('organization:write:settings')
  return (
    <Section title="Issue tracker">
      {hasIssueTrackerIntegration ? (
        <p>
          Features link to issues at{' '}
          <a href={issueTrackerBaseUrl} target="_blank" rel="noreferrer">
            {issueTrackerBaseUrl}
          </a>
          . Projects without their own connection use that of the organization.
        </p>
      ) : (
        <p className={styles.lead}>
          With an issue tracker, features show links to their issues. Neither this project nor the organization has one.
        </p>
      )}
      <IssueTracker project={project} reason={reason} />
    </Section>
  )
}

function Observability({ environments }: { readonly environments: readonly Environment[] }) {
  const { org = '' } = useParams({ strict: false })
  const project = useProject()
  const cannotPublish = useMissingPermission('feature:publish', project.key)
  const maySee = usePermission('organization:read:settings')
  const systems = useRead('getObservabilityIntegrations', {}, { enabled: maySee }).data?.environments ?? []
  const { enabled, environmentMap } = project.settings.observability
  // The map names environments by key or id.
  const byId = Object.fromEntries(
    environments.map(({ _id, key }) => [_id, environmentMap[_id] ?? environmentMap[key] ?? ''])
  )
  const edits = useEdits(`settings/${project._id}/observability`, { enabled, systems: byId })
  const { form, changed, set, discard, restoredAt } = edits
  const save = useSaveSettings(project, 'open', edits)
  const chosen = Object.entries(form.systems).filter(([, system]) => system !== '')
  const change: SettingsChange = {
    observability: {
      ...(changed.includes('enabled') ? { enabled: form.enabled } : {}),
      ...(changed.includes('systems') ? { environmentMap: Object.fromEntries(chosen) } : {})
    }
  }
  const known = systems.map(({ observabilityEnvironmentId: id }) => id)
  return (
    <ProjectSettingsForm
      title="Observability"
      docs="operations/outbound-requests.md#observability"
      lead="The server posts each change of a feature to the observability system of its environment, which shows it on charts."
      isChanged={changed.length > 0}
      reason={cannotPublish}
      onDiscard={discard}
      restoredAt={restoredAt}
      save={save}
      change={change}
    >
      <CheckField
        label="Report changes"
        isChecked={form.enabled}
        onChange={(isOn) => set({ enabled: isOn })}
        hint={
          <>
            Systems are connected for the whole{' '}
            <Link to="/o/$org/settings/integrations" params={{ org }}>
              organization
            </Link>
            .
          </>
        }
      />
      {form.enabled && (
        <div className={styles.group}>
          {environments.map(({ _id, name }) => {
            const value = form.systems[_id] ?? ''
            const options = [...new Set([...known, ...(value === '' ? [] : [value])])]
            return (
              <SelectField
                key={_id}
                label={name}
                value={value}
                options={[{ value: '', label: 'None' }, ...options.map((id) => ({ value: id, label: id }))]}
                onChange={(system) => set({ systems: { ...form.systems, [_id]: system } })}
              />
            )
          })}
          {known.length === 0 && <p className={styles.soft}>No system is connected yet.</p>}
        </div>
      )}
    </ProjectSettingsForm>
  )
}

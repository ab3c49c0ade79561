import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useFeatureRows } from '../../api/featureRows.ts'
import { usePeopleNames } from '../../parts/Actor.tsx'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { CheckField, SelectField } from '../../parts/Field.tsx'
import styles from '../../parts/settings/Settings.module.css'
import { useEdits } from '../../parts/settings/useEdits.ts'
import { useEnvironments } from '../../shell/useEnvironment.ts'
import { PeopleChoice } from './PeopleChoice.tsx'
import { useProject } from './ProjectContext.ts'
import { reachOf } from './reach.ts'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import type { SettingsChange } from './save/settingsChange.ts'
import { useSaveSettings } from './save/useSaveSettings.ts'

/** Which changes another person has to approve, and who makes overrides in protected environments. */
export function ApprovalPage() {
  const { key } = useProject()
  const cannotWrite = useMissingPermission('project:write:settings', key)
  const reason = cannotWrite
  return (
    <>
      <ApprovalGroup reason={reason} />
      <OverrideGroup reason={reason} />
    </>
  )
}

const counts = ['1', '2', '3', '4', '5'].map((value) => ({
  value,
  label: value === '1' ? '1 person' : `${value} people`
}))

interface GroupProps {
  readonly reason: string | undefined
}

function ApprovalGroup({ reason }: GroupProps) {
  const project = useProject()
  const names = usePeopleNames()
  const { requiredApprovals = 1, allowEmergency = true, ...workflow } = project.settings.featureApprovalWorkflow
  const { form, changed, set, discard, restoredAt } = useEdits(`settings/${project._id}/approval`, {
    ...workflow,
    requiredApprovals,
    allowEmergency
  })
  const save = useSaveSettings(project, 'protected', discard)
  const change: SettingsChange = {
    featureApprovalWorkflow: Object.fromEntries(changed.map((name) => [name, form[name]]))
  }
  const people = new Map([...form.defaultReviewers.map((id) => [id, id] as const), ...names])
  return (
    <ProjectSettingsForm
      title="Approval"
      docs="guides/approvals.md"
      lead={<Reach />}
      isChanged={changed.length > 0}
      reason={reason}
      onDiscard={discard}
      restoredAt={restoredAt}
      save={save}
      change={change}
    >
      <CheckField
        label="Every change of a protected environment waits for an approval"
        isChecked={form.enabled}
        onChange={(isOn) => set({ enabled: isOn })}
        hint="A change becomes a change request, which another person reviews. Switching approvals off, or making them easier, needs an approval too. Switching a feature off everywhere never does."
      />
      {form.enabled && (
        <div className={styles.group}>
          <div className={styles.short}>
            <SelectField
              label="Approvals by"
              value={String(form.requiredApprovals)}
              options={counts}
              onChange={(count) => set({ requiredApprovals: Number(count) })}
            />
          </div>
          <CheckField
            label="People who may publish may go without"
            isChecked={form.allowPublisherBypass}
            onChange={(isOn) => set({ allowPublisherBypass: isOn })}
            hint="They save changes directly, and approve their own requests."
          />
          <CheckField
            label="Requests can be applied in an emergency"
            isChecked={form.allowEmergency}
            onChange={(isOn) => set({ allowEmergency: isOn })}
            hint="Reviewers apply a request without approvals, with a reason. The history records it, and webhooks are notified."
          />
          <PeopleChoice
            legend="Suggested reviewers"
            people={[...people]}
            chosen={form.defaultReviewers}
            onChange={(chosen) => set({ defaultReviewers: [...chosen] })}
          />
        </div>
      )}
    </ProjectSettingsForm>
  )
}

const permissions = [
  { value: 'publish', label: 'People who may publish' },
  { value: 'read', label: 'Everybody who can read the project' }
] as const

function OverrideGroup({ reason }: GroupProps) {
  const project = useProject()
  const { form, changed, set, discard, restoredAt } = useEdits(`settings/${project._id}/self-targeting`, {
    protectedPermission: project.settings.overrides?.protectedPermission ?? 'publish'
  })
  const save = useSaveSettings(project, 'protected', discard)
  const change: SettingsChange = { overrides: form }
  return (
    <ProjectSettingsForm
      title="Self-targeting in protected environments"
      docs="reference/management.md#self-targeting"
      isChanged={changed.length > 0}
      reason={reason}
      onDiscard={discard}
      restoredAt={restoredAt}
      save={save}
      change={change}
    >
      <SelectField
        label="Who may override variations for themselves"
        value={form.protectedPermission}
        options={permissions}
        onChange={(chosen) => set({ protectedPermission: chosen })}
        hint="An override changes what one user gets. In other environments, everybody who can read the project may make one."
      />
    </ProjectSettingsForm>
  )
}

/** How many features approvals reach. */
function Reach() {
  const { key } = useProject()
  const environments: readonly Environment[] = useEnvironments(key).data ?? []
  const features: readonly FeatureListItem[] | undefined = useFeatureRows(key).data
  const shielded = environments.filter(isProtected)
  if (!features || environments.length === 0) return <>Counting the features that approvals reach…</>
  if (shielded.length === 0) return <>The project has no protected environment, so approvals reach no feature yet.</>
  const places = new Intl.ListFormat('en').format(shielded.map(({ name }) => name))
  const { total, served } = reachOf(features, shielded)
  return (
    <>
      Protects {places}. Reaches {total} {total === 1 ? 'feature' : 'features'}; {served} of them{' '}
      {served === 1 ? 'is' : 'are'} on there.
    </>
  )
}

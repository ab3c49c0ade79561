import { approvalSettings } from '@burgee/contract/rules'
import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { usePeopleNames } from '../../components/Actor.tsx'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { CheckField, SelectField } from '../../components/Field.tsx'
import styles from '../../components/settings/Settings.module.css'
import { approvalCoverage } from './approvalCoverage.ts'
import { PeopleChoice } from './PeopleChoice.tsx'
import { useProject } from './ProjectContext.ts'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import { useSettingsForm } from './save/useSettingsForm.ts'

/** Which changes require approval, and who can set overrides in protected environments. */
export function ApprovalPage() {
  const { key } = useProject()
  const reason = useMissingPermission('project:write:settings', key)
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
  const saved = approvalSettings(project.settings.featureApprovalWorkflow)
  const { form, set, frame } = useSettingsForm('approval', 'protected', saved, (form, changed) => ({
    featureApprovalWorkflow: Object.fromEntries(changed.map((name) => [name, form[name]]))
  }))
  const people = new Map([...form.defaultReviewers.map((id) => [id, id] as const), ...names])
  return (
    <ProjectSettingsForm title="Approval" docs="guides/approvals.md" lead={<Coverage />} reason={reason} {...frame}>
      <CheckField
        label="Require approval for changes of protected environments"
        isChecked={form.enabled}
        onChange={(isOn) => set({ enabled: isOn })}
        hint="Changes become change requests, which another person reviews. Turning approvals off or weakening them requires approval, too. Killing a feature never does."
      />
      {form.enabled && (
        <div className={styles.group}>
          <div className={styles.short}>
            <SelectField
              label="Required approvals"
              value={String(form.requiredApprovals)}
              options={counts}
              onChange={(count) => set({ requiredApprovals: Number(count) })}
            />
          </div>
          <CheckField
            label="People with the permission to publish can bypass approvals"
            isChecked={form.allowPublisherBypass}
            onChange={(isOn) => set({ allowPublisherBypass: isOn })}
            hint="They save changes directly, and apply requests without a review, including their own."
          />
          <CheckField
            label="Allow emergency changes"
            isChecked={form.allowEmergency}
            onChange={(isOn) => set({ allowEmergency: isOn })}
            hint="Reviewers can apply a request without approvals if they give a reason. The history records it, and webhooks are notified."
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
  { value: 'publish', label: 'People with the permission to publish' },
  { value: 'read', label: 'Everyone who can read the project' }
] as const

function OverrideGroup({ reason }: GroupProps) {
  const { settings } = useProject()
  const saved = { protectedPermission: settings.overrides?.protectedPermission ?? 'publish' }
  const { form, set, frame } = useSettingsForm('self-targeting', 'protected', saved, (form) => ({ overrides: form }))
  return (
    <ProjectSettingsForm
      title="Self-targeting in protected environments"
      docs="reference/management.md#self-targeting"
      reason={reason}
      {...frame}
    >
      <SelectField
        label="Who may override variations for themselves"
        value={form.protectedPermission}
        options={permissions}
        onChange={(chosen) => set({ protectedPermission: chosen })}
        hint="An override changes what one user gets. In other environments, everyone who can read the project can set one."
      />
    </ProjectSettingsForm>
  )
}

/** The number of features that approvals cover. */
function Coverage() {
  const { key } = useProject()
  const environments: readonly Environment[] = useEnvironments(key).data ?? []
  const features: readonly FeatureListItem[] | undefined = useFeatureRows(key).data
  const shielded = environments.filter(isProtected)
  if (!features || environments.length === 0) return <>Counting the features that approvals cover…</>
  if (shielded.length === 0) return <>The project has no protected environment, so approvals do not apply yet.</>
  const places = new Intl.ListFormat('en').format(shielded.map(({ name }) => name))
  const { total, served } = approvalCoverage(features, shielded)
  return (
    <>
      Applies to {places}. Covers {total} {total === 1 ? 'feature' : 'features'}; {served} of them{' '}
      {served === 1 ? 'is' : 'are'} on there.
    </>
  )
}

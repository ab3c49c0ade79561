import { Link, useParams } from '@tanstack/react-router'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { CheckField } from '../../components/Field.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { OptInGroup } from './OptInGroup.tsx'
import { useProject } from './ProjectContext.ts'
import { ProjectSettingsForm } from './save/ProjectSettingsForm.tsx'
import { useSettingsForm } from './save/useSettingsForm.ts'

/** The settings that decide what applications receive. */
export function EvaluationPage() {
  const { org = '' } = useParams({ strict: false })
  const { key: project } = useProject()
  const reason = useMissingPermission('feature:publish', project)
  return (
    <>
      <UserGroup reason={reason} />
      <VisibilityGroup reason={reason} />
      <OptInGroup reason={reason} />
      <p>
        Signed users are configured per environment:{' '}
        <Link to="/o/$org/p/$project/environments" params={{ org, project }}>
          Environments
        </Link>
      </p>
    </>
  )
}

interface GroupProps {
  readonly reason: string | undefined
}

function UserGroup({ reason }: GroupProps) {
  const { edgeDB, trustClientWrites = false, disablePassthroughRollouts } = useProject().settings
  const saved = { edgeDB: edgeDB.enabled, trustClientWrites, disablePassthroughRollouts }
  const { form, set, frame } = useSettingsForm('users', 'open', saved, (form, changed) => ({
    ...(changed.includes('edgeDB') ? { edgeDB: { enabled: form.edgeDB } } : {}),
    ...(changed.includes('trustClientWrites') ? { trustClientWrites: form.trustClientWrites } : {}),
    ...(changed.includes('disablePassthroughRollouts')
      ? { disablePassthroughRollouts: form.disablePassthroughRollouts }
      : {})
  }))
  return (
    <ProjectSettingsForm title="Users and rollouts" docs="reference/delivery.md#edge-data" reason={reason} {...frame}>
      <CheckField
        label="Store properties of users"
        isChecked={form.edgeDB}
        onChange={(isOn) => set({ edgeDB: isOn })}
        hint="Applications store properties such as the country or plan of a user on this server. Evaluations with enableEdgeDB add them to what the request contains."
      />
      <CheckField
        label="Trust data stored by web pages and apps"
        isChecked={form.trustClientWrites}
        onChange={(isOn) => set({ trustClientWrites: isOn })}
        hint="Evaluations with server keys also use properties and opt-in choices that were stored with client and mobile keys. These keys are public, so anyone can write with them."
      />
      <CheckField
        label="Stop at a target whose rollout excludes the user"
        isChecked={form.disablePassthroughRollouts}
        onChange={(isOn) => set({ disablePassthroughRollouts: isOn })}
        hint="Users who match a target but are not included by its rollout get the application’s default. Otherwise evaluation continues with the next target."
      />
    </ProjectSettingsForm>
  )
}

function VisibilityGroup({ reason }: GroupProps) {
  const { obfuscation, sdkTypeVisibility, lifeCycle } = useProject().settings
  const saved = {
    enabled: obfuscation.enabled,
    required: obfuscation.required,
    serversOnly: sdkTypeVisibility.enabledInFeatureSettings,
    skipCode: lifeCycle.disableCodeRefChecks
  }
  const { form, set, frame } = useSettingsForm('visibility', 'open', saved, (form, changed) => ({
    ...(changed.includes('enabled') || changed.includes('required')
      ? { obfuscation: { enabled: form.enabled, required: form.required } }
      : {}),
    ...(changed.includes('serversOnly') ? { sdkTypeVisibility: { enabledInFeatureSettings: form.serversOnly } } : {}),
    ...(changed.includes('skipCode') ? { lifeCycle: { disableCodeRefChecks: form.skipCode } } : {})
  }))
  return (
    <ProjectSettingsForm
      title="Visibility and obfuscation"
      docs="reference/delivery.md#what-a-client-key-shows"
      reason={reason}
      {...frame}
    >
      <CheckField
        label="New features are visible to servers only"
        isChecked={form.serversOnly}
        onChange={(isOn) => set({ serversOnly: isOn })}
        hint="Web pages and apps do not receive a feature until its own settings make it visible. Existing features stay unchanged."
      />
      <CheckField
        label="Offer obfuscated keys"
        isChecked={form.enabled}
        onChange={(isOn) => set({ enabled: isOn, ...(isOn ? {} : { required: false }) })}
        hint={
          <>
            SDKs with the option enableObfuscation receive hashes instead of the keys of features and variables.{' '}
            <DocsLink page="guides/types.md">Generate the keys for your code</DocsLink>
          </>
        }
      />
      <CheckField
        label="Require obfuscated keys for client keys"
        isChecked={form.required}
        isDisabled={!form.enabled}
        onChange={(isOn) => set({ required: isOn })}
        hint="Requests of web pages without obfuscation are rejected with 403, and so is OFREP with client keys."
      />
      <CheckField
        label="Skip code reference checks"
        isChecked={form.skipCode}
        onChange={(isOn) => set({ skipCode: isOn })}
        hint="Features can be completed even if code still reads their variables."
      />
    </ProjectSettingsForm>
  )
}

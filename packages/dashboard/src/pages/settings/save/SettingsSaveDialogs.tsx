import { isProtected } from '@burgee/contract/words'
import { useEnvironments } from '../../../api/useEnvironments.ts'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { FormError } from '../../../components/forms/FormError.tsx'
import { Banner } from '../../../components/States.tsx'
import styles from '../../../components/settings/Settings.module.css'
import { RequestDialog } from './RequestDialog.tsx'
import type { SettingsChange } from './settingsChange.ts'
import { type SaveSettings, settingsRequest } from './useSaveSettings.ts'

/** The dialog before a group of settings is saved: a confirmation, or a change request. */
export function SettingsSaveDialogs({ save }: { readonly save: SaveSettings }) {
  const { asked, project, kind } = save
  if (!asked) return null
  if (asked.needsApproval) {
    return (
      <RequestDialog
        project={project}
        request={{ method: 'PATCH', ...settingsRequest(project, kind, asked.change) }}
        onClose={save.cancel}
        onDone={save.onRequested}
      >
        <Consequences sentences={asked.sentences} />
      </RequestDialog>
    )
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={save.cancel}
      title="Save for all environments?"
      action="Save for all environments"
      onConfirm={save.confirm}
      isBusy={save.isBusy}
      error={<FormError error={save.error} fields={[]} />}
    >
      <Coverage project={project.key} />
      <Consequences sentences={asked.sentences} />
    </ConfirmDialog>
  )
}

/** Names the protected environments, whose users see the change too. */
function Coverage({ project }: { readonly project: string }) {
  const shielded = (useEnvironments(project).data ?? []).filter(isProtected)
  if (shielded.length === 0) return null
  const names = new Intl.ListFormat('en').format(shielded.map(({ name }) => name))
  return (
    <Banner tone="protected">
      <span>
        <strong>
          <bdi>{names}</bdi> {shielded.length === 1 ? 'is' : 'are'} protected.
        </strong>{' '}
        Their users are affected immediately.
      </span>
    </Banner>
  )
}

function Consequences({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <ul className={styles.consequences}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

interface BeforeProps {
  readonly save: SaveSettings
  /** What saving changes, where approvals can cover it. */
  readonly change?: SettingsChange
  /** The fields that show their own problems. */
  readonly fields?: readonly string[]
}

/** Says before saving that the change requires approval, and after saving what went wrong. */
export function BeforeSave({ save, change = {}, fields = [] }: BeforeProps) {
  return (
    <>
      {save.needsApproval(change) && (
        <Banner>
          <span>
            This change requires approval. It becomes a change request of the project, and takes effect when the request
            is approved and applied.
          </span>
        </Banner>
      )}
      {!save.asked && <FormError error={save.error} fields={fields} />}
    </>
  )
}

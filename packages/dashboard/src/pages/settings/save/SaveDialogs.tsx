import { Badge } from '../../../parts/Badge.tsx'
import { ConfirmDialog } from '../../../parts/Dialog.tsx'
import { FormError } from '../../../parts/FormError.tsx'
import { Banner } from '../../../parts/States.tsx'
import styles from '../../../parts/settings/Settings.module.css'
import { RequestDialog } from './RequestDialog.tsx'
import { type SaveSettings, settingsRequest } from './useSaveSettings.ts'

/** The question before a group of settings is saved: for users of protected environments, or for the reviewers. */
export function SaveDialogs({ save }: { readonly save: SaveSettings }) {
  const { asked, project, kind } = save
  if (!asked) return null
  if (asked.needsApproval) {
    return (
      <RequestDialog
        project={project}
        request={{ method: 'PATCH', ...settingsRequest(project, kind, asked.change) }}
        onClose={save.cancel}
        onDone={save.done}
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
      <Banner tone="protected">
        <span>
          <Badge tone="protected">protected</Badge> environments are included. Their users see this at once.
        </span>
      </Banner>
      <Consequences sentences={asked.sentences} />
    </ConfirmDialog>
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
  readonly isRequest: boolean
  /** The fields that show their own problems. */
  readonly fields?: readonly string[]
}

/** Says before saving what saving does where approvals cover the change; and what went wrong. */
export function BeforeSave({ save, isRequest, fields = [] }: BeforeProps) {
  return (
    <>
      {isRequest && (
        <Banner>
          <span>
            Approvals cover this change. It becomes a change request of the project, and takes effect when it is
            approved and applied.
          </span>
        </Banner>
      )}
      {!save.asked && <FormError error={save.error} fields={fields} />}
    </>
  )
}

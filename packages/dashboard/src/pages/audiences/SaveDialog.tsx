import type { Audience } from '@burgee/contract/schemas'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog, Dialog } from '../../components/Dialog.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { Banner } from '../../components/States.tsx'
import styles from './Audiences.module.css'
import type { SaveAudience } from './useSaveAudience.ts'

const list = new Intl.ListFormat('en')

/** The dialogs before a save: about users of protected environments, and about conflicting changes. */
export function SaveDialog({ save, audience }: { readonly save: SaveAudience; readonly audience: Audience }) {
  const { step } = save
  if (step.type === 'conflict') {
    return (
      <Dialog
        isOpen
        onClose={save.cancel}
        title="Conflicting changes"
        actions={
          <>
            <Button onClick={() => save.resolve('theirs')}>Keep theirs</Button>
            <Button kind="primary" onClick={() => save.resolve('mine')}>
              Overwrite with mine
            </Button>
          </>
        }
      >
        <p>
          Another person has changed {list.format(step.members.map((member) => words[member] ?? member))} of{' '}
          <strong>{audience.name}</strong>. All other changes are merged.
        </p>
      </Dialog>
    )
  }
  const isOpen = step.type === 'protected'
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={save.cancel}
      title={`Change the conditions of ${audience.name}?`}
      action={isOpen ? `Save for ${list.format(step.environments)}` : 'Save'}
      onConfirm={save.confirm}
      isBusy={save.isBusy}
      error={<FormError error={save.error} fields={[]} />}
    >
      {isOpen && (
        <div className={styles.form}>
          <Banner tone="protected">
            <span>
              Users of <strong>{list.format(step.environments)}</strong> may get other variations immediately.
            </span>
          </Banner>
          <p>
            {step.features.length} {step.features.length === 1 ? 'feature targets' : 'features target'} this audience
            there: {list.format(step.features.slice(0, 10))}
            {step.features.length > 10 && ` and ${step.features.length - 10} more`}.
          </p>
        </div>
      )}
    </ConfirmDialog>
  )
}

const words: Readonly<Record<string, string>> = { filters: 'conditions' }

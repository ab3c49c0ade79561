import type { Audience } from '@burgee/contract/schemas'
import { Button } from '../../parts/Button.tsx'
import { ConfirmDialog, Dialog } from '../../parts/Dialog.tsx'
import { FormError } from '../../parts/forms/FormError.tsx'
import { Banner } from '../../parts/States.tsx'
import styles from './Audiences.module.css'
import type { SaveAudience } from './useSaveAudience.ts'

const list = new Intl.ListFormat('en')

/** The questions before a save: users of protected environments, and changes of others in the same place. */
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
            <Button onClick={() => save.resolve('theirs')}>Take theirs</Button>
            <Button kind="primary" onClick={() => save.resolve('mine')}>
              Save mine over it
            </Button>
          </>
        }
      >
        <p>
          Another person has changed {list.format(step.members.map((member) => words[member] ?? member))} of{' '}
          <strong>{audience.name}</strong>. Everything else is joined.
        </p>
      </Dialog>
    )
  }
  const isOpen = step.type === 'protected'
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={save.cancel}
      title={`Change who is in ${audience.name}?`}
      action={isOpen ? `Save for ${list.format(step.environments)}` : 'Save'}
      onConfirm={save.confirm}
      isBusy={save.isBusy}
      error={<FormError error={save.error} fields={[]} />}
    >
      {isOpen && (
        <div className={styles.form}>
          <Banner tone="protected">
            <span>
              Users of <strong>{list.format(step.environments)}</strong> may get other variations at once.
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

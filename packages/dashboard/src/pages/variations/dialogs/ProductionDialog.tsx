import type { Environment } from '@burgee/contract/schemas'
import { Protected } from '../../../components/Badge.tsx'
import { ConfirmDialog } from '../../../components/Dialog.tsx'
import type { MatrixChange } from '../matrix.ts'
import styles from '../Variations.module.css'

interface Props {
  readonly changes: readonly MatrixChange[]
  readonly environments: readonly Environment[]
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks before values change that users of protected environments get. */
export function ProductionDialog({ changes, environments, isBusy, onClose, onConfirm }: Props) {
  const names = new Intl.ListFormat('en').format(environments.map(({ name }) => name))
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Change values in ${names}?`}
      action={`Save to ${names}`}
      isBusy={isBusy}
      onConfirm={onConfirm}
    >
      <p>
        The feature is on in {names} <Protected />. Users who are served these variations get the new values
        immediately, in all environments.
      </p>
      <dl className={styles.changes}>
        {changes.map(({ id, title, before, after }) => (
          <div key={id}>
            <dt>
              <bdi>{title}</bdi>
            </dt>
            {after !== undefined && (
              <dd>
                <del>{before || 'empty'}</del> <span aria-hidden="true">→</span> <ins>{after || 'empty'}</ins>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  )
}

import { Link, useParams } from '@tanstack/react-router'
import { Button } from '../../../components/Button.tsx'
import { ConfirmDialog, Dialog } from '../../../components/Dialog.tsx'
import type { MatrixRow, ServingTarget } from '../matrix.ts'
import styles from '../Variations.module.css'

interface Props {
  readonly row: MatrixRow
  readonly serving: readonly ServingTarget[]
  readonly onClose: () => void
  readonly onRemove: () => void
}

/** Removes a variation, or names the targets that serve it and have to change first. */
export function RemoveVariationDialog({ row, serving, onClose, onRemove }: Props) {
  const { org = '', project = '', feature = '' } = useParams({ strict: false })
  if (serving.length > 0) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${row.name} is still served`}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <div className={styles.form}>
          <p>A variation can be removed when no target serves it. Change these targets first:</p>
          <ul className={styles.list}>
            {serving.map(({ environment, target, isOn }, index) => (
              <li key={`${environment._id}:${String(index)}`}>
                <Link
                  to="/o/$org/p/$project/features/$feature/manage-feature"
                  params={{ org, project, feature }}
                  search={{ env: environment.key }}
                >
                  {target}
                </Link>{' '}
                in {environment.name}
                {!isOn && <span className={styles.quiet}> (off)</span>}
              </li>
            ))}
          </ul>
        </div>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${row.name}?`}
      action="Remove variation"
      onConfirm={() => {
        onRemove()
        onClose()
      }}
    >
      <p>No target serves it. It is removed with its values when you save.</p>
    </ConfirmDialog>
  )
}

import type { Environment, Feature, UpdateFeature } from '@burgee/contract/schemas'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../components/Dialog.tsx'
import { ErrorBanner } from '../components/States.tsx'
import styles from './Actions.module.css'
import { ChangePreview } from './ChangePreview.tsx'
import { ProtectedBanner } from './ProtectedBanner.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly project: string
  readonly feature: Feature
  /** The protected environment. */
  readonly environment: Environment
  /** The update as `updateFeature` takes it, from which the server computes who changes. */
  readonly update: UpdateFeature
  /** Names the act, for example "Turn on in Production". */
  readonly action: string
  readonly onConfirm: () => void
  readonly isBusy: boolean
  readonly error: Error | null
  /** What changes: sentences or a diff. */
  readonly children: ReactNode
}

/** Asks before a change of what users of a protected environment get. Says what changes and for whom. */
export function ProductionConfirm(props: Props) {
  const { isOpen, onClose, project, feature, environment, update, action, onConfirm, isBusy, error, children } = props
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`${action}?`}
      action={action}
      onConfirm={onConfirm}
      isBusy={isBusy}
      error={error && <ErrorBanner error={error} title="Not saved" />}
    >
      <ProtectedBanner environment={environment} />
      <section className={styles.part}>
        <h3>What changes</h3>
        {children}
      </section>
      <section className={styles.part}>
        <h3>Affected users</h3>
        {isOpen && (
          <ChangePreview
            project={project}
            feature={feature}
            change={{ update }}
            environments={[environment]}
            isSaving={isBusy}
          />
        )}
      </section>
    </ConfirmDialog>
  )
}

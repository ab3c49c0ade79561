import type { Environment } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Environments.module.css'
import { useReadonlyReason } from './useReadonlyReason.ts'

/** Deletes an environment after its key was typed. The last one of a project stays. */
export function DeleteEnvironment({ environment }: { readonly environment: Environment }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const [isAsking, setAsking] = useState(false)
  const reason = useDeleteReason(environment)
  const remove = useWrite('deleteEnvironment', ['listEnvironments'])
  const confirm = () =>
    remove.mutate(
      { params: { project, key: environment._id } },
      {
        onSuccess: () => {
          notify({ text: `Deleted environment ${environment.name}` })
          void navigate({ to: '/o/$org/p/$project/environments', params: { org, project } })
        }
      }
    )
  return (
    <Section title="Delete this environment">
      <div className={styles.danger}>
        <p>
          Deletes its targets and SDK keys. Applications that use these keys continue with their last configuration, and
          get no further changes.
          {reason !== undefined && <span className={styles.soft}> Unavailable: {reason}.</span>}
        </p>
        <Button onClick={() => setAsking(true)} reason={reason}>
          Delete environment…
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${environment.name}`}
        action={`Delete ${environment.key}`}
        typed={environment.key}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={confirm}
        error={remove.error && <ErrorBanner error={remove.error} />}
      >
        <p>All targets of all features in this environment and all of its keys are deleted. This cannot be undone.</p>
      </ConfirmDialog>
    </Section>
  )
}

function useDeleteReason(environment: Environment): string | undefined {
  const { project = '' } = useParams({ strict: false })
  const readonlyReason = useReadonlyReason(environment)
  const cannotDelete = useMissingPermission('environment:delete', project)
  const { data: all } = useEnvironments(project)
  return cannotDelete ?? readonlyReason ?? (all?.length === 1 ? 'a project needs at least one environment' : undefined)
}

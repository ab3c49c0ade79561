import type { CurrentOverride } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Badge, Protected } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { FormError } from '../../components/forms/FormError.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Section } from '../../components/Page.tsx'
import { Empty, ErrorBanner } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { notify } from '../../components/Toasts.ts'
import { OverrideDialog } from './OverrideDialog.tsx'
import styles from './Overrides.module.css'

interface Props {
  readonly org: string
  readonly project: string
  readonly userId: string | null
  readonly overrides: readonly CurrentOverride[]
}

/** The overrides of the person, with ways to add and clear them. */
export function OverrideSection({ org, project, userId, overrides }: Props) {
  const [dialog, setDialog] = useState<'add' | 'clear'>()
  const close = () => setDialog(undefined)
  const add = (
    <Button
      icon={<Plus size={16} aria-hidden="true" />}
      onClick={() => setDialog('add')}
      reason={userId === null ? 'save your user ID first' : undefined}
    >
      Override
    </Button>
  )
  return (
    <Section
      title="Overrides"
      actions={
        overrides.length > 0 && (
          <span className={styles.buttons}>
            <Button kind="quiet" onClick={() => setDialog('clear')}>
              Clear all…
            </Button>
            {add}
          </span>
        )
      }
    >
      {overrides.length === 0 ? (
        <Empty title="You have no overrides." action={add}>
          <p>
            {userId === null
              ? 'Save your user ID first. An override then gives you a variation regardless of the targets.'
              : 'An override gives you a variation regardless of the targets.'}{' '}
            <DocsLink page="reference/management.md#self-targeting">About self-targeting</DocsLink>
          </p>
        </Empty>
      ) : (
        <OverrideTable org={org} project={project} overrides={overrides} />
      )}
      {dialog === 'add' && <OverrideDialog project={project} onClose={close} />}
      <ClearAllDialog project={project} count={overrides.length} isOpen={dialog === 'clear'} onClose={close} />
    </Section>
  )
}

function OverrideTable({ org, project, overrides }: Omit<Props, 'userId'>) {
  const environments = useEnvironments(project).data ?? []
  const shielded = new Set(environments.filter(isProtected).map(({ _id }) => _id))
  const clear = useWrite('deleteFeatureOverride')
  const restore = useWrite('updateFeatureOverride')
  const clearOne = ({ _feature, _environment, _variation, featureName }: CurrentOverride) =>
    clear.mutate(
      { params: { project, feature: _feature }, query: { environment: _environment } },
      {
        onSuccess: () =>
          notify({
            text: `Cleared your override of ${featureName}`,
            onUndo: () =>
              restore.mutate({
                params: { project, feature: _feature },
                body: { environment: _environment, variation: _variation }
              })
          })
      }
    )
  return (
    <>
      <Table
        label="Overrides"
        rows={overrides}
        rowKey={({ _feature, _environment }) => `${_feature} ${_environment}`}
        columns={[
          {
            id: 'feature',
            title: 'Feature',
            cell: ({ _feature, featureName }) => (
              <Link
                to="/o/$org/p/$project/features/$feature/overview"
                params={{ org, project, feature: _feature }}
                className={styles.name}
              >
                {featureName}
              </Link>
            )
          },
          {
            id: 'environment',
            title: 'Environment',
            cell: ({ _environment, environmentName }) => (
              <span className={styles.environment}>
                {environmentName}
                {shielded.has(_environment) && <Protected />}
              </span>
            )
          },
          {
            id: 'variation',
            title: 'You get',
            cell: ({ variationName }) => <Badge tone="partly">{variationName}</Badge>
          },
          {
            id: 'clear',
            title: <span className="visually-hidden">Clear</span>,
            align: 'end',
            cell: (row) => (
              <Button
                kind="quiet"
                onClick={() => clearOne(row)}
                aria-label={`Clear the override of ${row.featureName} in ${row.environmentName}`}
              >
                Clear
              </Button>
            )
          }
        ]}
      />
      {clear.error && <ErrorBanner title="The override could not be cleared" error={clear.error} />}
      {restore.error && <ErrorBanner title="The override could not be restored" error={restore.error} />}
    </>
  )
}

interface ClearProps {
  readonly project: string
  readonly count: number
  readonly isOpen: boolean
  readonly onClose: () => void
}

function ClearAllDialog({ project, count, isOpen, onClose }: ClearProps) {
  const clear = useWrite('deleteCurrentOverrides')
  const words = `${count} ${count === 1 ? 'override' : 'overrides'}`
  const confirm = () =>
    clear.mutate(
      { params: { project } },
      {
        onSuccess: () => {
          notify({ text: `Cleared ${words}` })
          onClose()
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Clear all overrides?"
      action={`Clear ${words}`}
      onConfirm={confirm}
      isBusy={clear.isPending}
      isDangerous
      error={<FormError error={clear.error} fields={[]} />}
    >
      <p>The targets decide which variations you get again. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

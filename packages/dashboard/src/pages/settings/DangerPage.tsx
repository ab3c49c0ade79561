import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ifMatch, useRead, useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { useNavigateFromHere } from '../../components/links/useNavigateFromHere.ts'
import { Section } from '../../components/Page.tsx'
import { Banner, ErrorBanner } from '../../components/States.tsx'
import styles from '../../components/settings/Settings.module.css'
import { notify } from '../../components/Toasts.ts'
import { useProject } from './ProjectContext.ts'
import { RequestDialog } from './save/RequestDialog.tsx'
import { useCanBypass } from './save/useSaveSettings.ts'

/** Deletes a project after its key was typed. The last one of the organization stays. */
export function DangerPage() {
  const { org = '' } = useParams({ strict: false })
  const navigate = useNavigateFromHere()
  const project = useProject()
  const [isAsking, setAsking] = useState(false)
  const canBypass = useCanBypass(project, 'project:delete')
  const needsApproval = project.settings.featureApprovalWorkflow.enabled && !canBypass
  const reason = useDeleteReason(project.key)
  const remove = useWrite('deleteProject')
  const confirm = () =>
    remove.mutate(
      { params: { key: project._id }, headers: ifMatch(project) },
      {
        onSuccess: () => {
          notify({ text: `Deleted project ${project.name}` })
          void navigate({ to: '/o/$org/settings/projects', params: { org } })
        }
      }
    )
  return (
    <Section title="Delete this project">
      {needsApproval && (
        <Banner>
          <span>
            Deletion requires approval. It becomes a change request of the project, which another person reviews.
          </span>
        </Banner>
      )}
      <div className={styles.danger}>
        <p>
          Deletes all features, environments, SDK keys, audiences and metrics of <bdi>{project.name}</bdi>. Applications
          that use its keys no longer receive flags. The audit log keeps its entries. Events of users are kept until
          they expire, so <DocsLink page="operations/personal-data.md">erase users</DocsLink> first if you have to.
          {reason !== undefined && <span className={styles.soft}> Unavailable: {reason}.</span>}
        </p>
        <Button onClick={() => setAsking(true)} reason={reason}>
          {needsApproval ? 'Request deletion…' : 'Delete project…'}
        </Button>
      </div>
      {needsApproval
        ? isAsking && (
            <RequestDialog
              project={project}
              action="Request deletion"
              request={{ method: 'DELETE', path: `/v1/projects/${project.key}` }}
              onClose={() => setAsking(false)}
              onDone={() => setAsking(false)}
            >
              <p>When the request is applied, the project and everything in it are deleted. This cannot be undone.</p>
            </RequestDialog>
          )
        : isAsking && (
            <ConfirmDialog
              isOpen
              onClose={() => setAsking(false)}
              title={`Delete ${project.name}`}
              action={`Delete ${project.key}`}
              typed={project.key}
              isDangerous
              isBusy={remove.isPending}
              onConfirm={confirm}
              error={remove.error && <ErrorBanner error={remove.error} />}
            >
              <p>The project and everything in it are deleted at once. This cannot be undone.</p>
            </ConfirmDialog>
          )}
    </Section>
  )
}

function useDeleteReason(project: string): string | undefined {
  const cannotDelete = useMissingPermission('project:delete', project)
  const { data: projects } = useRead('listProjects', { query: { perPage: 2 } })
  return cannotDelete ?? (projects?.length === 1 ? 'an organization needs at least one project' : undefined)
}

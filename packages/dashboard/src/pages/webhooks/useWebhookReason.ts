import { useParams } from '@tanstack/react-router'
import { usePermission } from '../../api/session.ts'

/** Why the person cannot change webhooks; `undefined` if they can. */
export function useWebhookReason(): string | undefined {
  const { project = '' } = useParams({ strict: false })
  return usePermission('project:write:settings', project)
    ? undefined
    : 'needs the permission to change settings of projects'
}

import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useParams } from '@tanstack/react-router'
import { usePermission } from '../../api/session.ts'

/** Why the person cannot change an environment and its keys; `undefined` if they can. */
export function useReadonlyReason(environment: Environment): string | undefined {
  const { project = '' } = useParams({ strict: false })
  const mayWrite = usePermission('environment:write', project)
  const mayPublish = usePermission('feature:publish', project)
  if (!mayWrite) return 'needs the permission to change environments'
  if (isProtected(environment) && !mayPublish) return 'a protected environment needs the permission to publish'
  return environment.readonly ? 'your access does not include this environment' : undefined
}

import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useParams } from '@tanstack/react-router'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'

/** Why the person cannot change an environment and its keys; `undefined` if they can. */
export function useReadonlyReason(environment: Environment): string | undefined {
  const { project = '' } = useParams({ strict: false })
  const cannotWrite = useMissingPermission('environment:write', project)
  const cannotPublish = useMissingPermission('feature:publish', project)
  if (cannotWrite) return cannotWrite
  if (isProtected(environment) && cannotPublish) return `a protected environment ${cannotPublish}`
  return environment.readonly ? 'your access does not include this environment' : undefined
}

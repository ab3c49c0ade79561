import type { Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { usePermission } from '../../../api/session.ts'
import { useEnvironments } from '../../../shell/useEnvironment.ts'

/** Why the signed-in person cannot do what; absent where they can. */
export function useActReasons(project: string, feature: Feature) {
  const mayWrite = usePermission('feature:write', project)
  const mayPublish = usePermission('feature:publish', project)
  const mayDelete = usePermission('feature:delete', project)
  const environments = useEnvironments(project).data ?? []
  const active = feature.configurations.filter(({ status }) => status === 'active')
  const isOnInProtected = active.some(({ _environment }) =>
    environments.some((environment) => environment._id === _environment && isProtected(environment))
  )
  const write = mayWrite ? undefined : 'needs the permission to change features'
  const publish = write ?? (mayPublish ? undefined : 'needs the permission to publish')
  const isOff = active.length === 0 || feature.status === 'archived'
  return {
    write,
    /** Whether no environment serves the feature, so that there is nothing to kill. */
    isOff,
    publish,
    kill: isOnInProtected ? publish : write,
    delete: mayDelete ? (isOff ? undefined : 'turn it off everywhere first') : 'needs the permission to delete features'
  }
}

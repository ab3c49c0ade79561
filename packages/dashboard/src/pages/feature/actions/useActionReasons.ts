import type { Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useEnvironments } from '../../../api/useEnvironments.ts'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'

/** Why the signed-in person cannot do what; absent where they can. */
export function useActionReasons(project: string, feature: Feature) {
  const write = useMissingPermission('feature:write', project)
  const cannotPublish = useMissingPermission('feature:publish', project)
  const cannotDelete = useMissingPermission('feature:delete', project)
  const environments = useEnvironments(project).data ?? []
  const active = feature.configurations.filter(({ status }) => status === 'active')
  const isOnInProtected = active.some(({ _environment }) =>
    environments.some((environment) => environment._id === _environment && isProtected(environment))
  )
  const publish = write ?? cannotPublish
  const isOff = active.length === 0 || feature.status === 'archived'
  return {
    write,
    /** Whether the feature is off in all environments. */
    isOff,
    publish,
    kill: isOnInProtected ? publish : write,
    delete: cannotDelete ?? (isOff ? undefined : 'turn it off everywhere first')
  }
}

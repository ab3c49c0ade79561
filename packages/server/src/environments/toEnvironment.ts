import { type Environment, isProtected, type SdkKeyType } from '@burgee/contract'
import { authorOf } from '../author.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredEnvironment } from '../store/resources.ts'
import { mayChange } from './protection.ts'

/** An environment as a caller may see it. */
export function toEnvironment(environment: StoredEnvironment, caller: TokenCaller): Environment {
  const { sdkKeys, ...members } = environment
  const isChangeable = mayChange(environment, caller)
  const keys = (type: SdkKeyType) => sdkKeys[type].map((key) => ({ ...key, compromised_url: '' }))
  return {
    ...members,
    _createdBy: authorOf(environment),
    ...(isProtected(environment) && !isChangeable
      ? {}
      : { sdkKeys: { mobile: keys('mobile'), client: keys('client'), server: keys('server') } }),
    readonly: !isChangeable
  }
}

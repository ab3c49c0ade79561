import type { KeyConfig } from '../../delivery/configs/configs.ts'
import { forbidden } from '../../lib/errors.ts'

/**
 * Has keys that anybody can read, those of browsers, be answered with obfuscated names or not at all, where the project wants
 * it so. A project that has obfuscation switched off wants nothing.
 * @throws {ApiError} 403 when a client key asks for plain names there.
 */
export function assertObfuscation({ project, keyType }: KeyConfig, isObfuscated: boolean): void {
  const { enabled, required } = project.settings.obfuscation
  if (!enabled || !required || keyType !== 'client' || isObfuscated) return
  throw forbidden(
    `project "${project.key}" answers client keys only with obfuscated names: ask GET /v1/sdkConfig with obfuscated=1, as client SDKs do with enableObfuscation`
  )
}

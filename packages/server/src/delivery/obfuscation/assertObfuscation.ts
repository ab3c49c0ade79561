import { forbidden } from '../../lib/errors.ts'
import type { KeyConfig } from '../configs/keyConfig.ts'

/**
 * Asserts that a client key requests obfuscated names where the project requires them. Projects without obfuscation
 * require nothing.
 * @throws {HttpError} 403 if a client key requests plain names.
 */
export function assertObfuscation({ project, keyType }: KeyConfig, isObfuscated: boolean): void {
  const { enabled, required } = project.settings.obfuscation
  if (!enabled || !required || keyType !== 'client' || isObfuscated) return
  throw forbidden(
    `project "${project.key}" requires obfuscated names for client keys: call GET /v1/sdkConfig with obfuscated=1 (client SDKs: enableObfuscation)`
  )
}

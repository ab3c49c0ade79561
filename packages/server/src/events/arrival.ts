import type { SdkCaller } from '../caller.ts'
import type { Configs } from '../configs/configs.ts'
import { plainKey } from '../obfuscation/plainKey.ts'
import type { Validate } from '../validate.ts'
import { MAX_COUNT, MAX_PUBLIC_COUNT } from './evaluations.ts'
import type { Arrival } from './intake.ts'

interface World {
  readonly validate: Validate
  readonly configs: Pick<Configs, 'current'>
}

/** What a caller tells about a payload beside its body. */
interface Payload {
  readonly headers: { readonly 'idempotency-key'?: string | undefined }
  readonly isObfuscated?: boolean | undefined
}

/** What is known of the events of a request besides its body. */
export function arrivalOf(caller: SdkCaller, { headers, isObfuscated = false }: Payload, world: World): Arrival {
  return {
    payloadId: headers['idempotency-key'],
    sdkKey: caller.sdkKey,
    isKey: (text) => world.configs.current(text) !== undefined,
    plainTarget: (target) => (isObfuscated ? plainKey(caller, target) : target),
    maxCount: caller.keyType === 'server' ? MAX_COUNT : MAX_PUBLIC_COUNT,
    validate: world.validate
  }
}

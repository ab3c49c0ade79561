import type { ParseBody } from '../../access/parseBody.ts'
import type { Configs, KeyConfig } from '../../delivery/configs/configs.ts'
import { deobfuscateKey } from '../../delivery/obfuscation/deobfuscateKey.ts'
import { MAX_EVALUATIONS_PER_EVENT, MAX_PUBLIC_EVALUATIONS_PER_EVENT } from '../evaluations/evaluationEvents.ts'
import type { IngestContext } from './ingest.ts'

interface Dependencies {
  readonly validate: ParseBody
  readonly configs: Pick<Configs, 'current'>
}

/** What a caller tells about a payload beside its body. */
interface PayloadOptions {
  readonly headers: { readonly 'idempotency-key'?: string | undefined }
  readonly isObfuscated?: boolean | undefined
}

/** What is known of the events of a request besides its body. */
export function ingestContextOf(
  caller: KeyConfig,
  { headers, isObfuscated = false }: PayloadOptions,
  world: Dependencies
): IngestContext {
  return {
    payloadId: headers['idempotency-key'],
    sdkKey: caller.sdkKey,
    isSdkKey: (text) => world.configs.current(text) !== undefined,
    deobfuscateTarget: (target) => (isObfuscated ? deobfuscateKey(caller, target) : target),
    maxCount: caller.keyType === 'server' ? MAX_EVALUATIONS_PER_EVENT : MAX_PUBLIC_EVALUATIONS_PER_EVENT,
    validate: world.validate
  }
}

import type { IncomingMessage } from 'node:http'
import type { KeyConfigs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { findKeyRefusal } from '../../../delivery/configs/keyRestrictions.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import { isDamagedSdkKey } from '../../../lib/secrets/checksum.ts'
import { mustBeSigned } from '../../handlers/shared/verifyUsers.ts'
import { originOf } from './connection.ts'
import { type FoundRoute, isPlainSegment } from './fastRoutes.ts'
import { createFindCaller } from './findCaller.ts'

interface Dependencies {
  readonly configs: Pick<KeyConfigs, 'current' | 'version'>
  readonly now: () => number
  readonly trustedProxies: number
}

/** Returns the caller of a request; undefined if the key is not accepted, or does not suffice. */
type IdentifyCaller = (request: IncomingMessage, found: FoundRoute) => KeyConfig | undefined

/** Creates the authentication of the fast path. */
export function createIdentifyCaller({ configs, now, trustedProxies }: Dependencies): IdentifyCaller {
  const findCaller = createFindCaller(configs)
  return (request, { route, value, query }) => {
    const { credential, record } = route
    const { authorization = '', 'x-api-key': apiKey } = request.headers
    const inUrl = credential.inPath ? value : authorization === '' && credential.inQuery ? query.sdkKey : undefined
    const caller =
      inUrl === undefined
        ? findCaller(authorization, credential.inApiKeyHeader ? String(apiKey ?? '') : '')
        : findCaller(isPlainSegment(inUrl) ? inUrl : '', '')
    if (!caller || !credential.keyTypes.includes(caller.keyType) || mustBeSigned(record, caller)) return undefined
    if (caller.restrictions?.allowsOrigin || isDamaged(caller)) return undefined
    if (caller.restrictions && findKeyRefusal(caller, originOf(request, trustedProxies), now())) return undefined
    return caller
  }
}

/** Imported keys may have the form of generated ones, without a valid checksum. */
const isDamaged = memoizeByIdentity(({ sdkKey }: KeyConfig) => isDamagedSdkKey(sdkKey))

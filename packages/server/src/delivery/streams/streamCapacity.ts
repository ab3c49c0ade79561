import type { SdkKeyType } from '@burgee/contract'
import { isPublicKeyType } from '@burgee/contract/access'
import { type HttpError, rateLimited, unavailable } from '../../lib/errors.ts'
import { SECOND } from '../../lib/time.ts'
import type { StreamConnections } from './streamConnections.ts'
import { RETRY_AFTER_FULL } from './streamTimings.ts'

/** The limits of open streams. */
export interface StreamCapacity {
  readonly maxStreams: number
  /** The limit for client and mobile keys from one network; 0 sets none. */
  readonly maxStreamsPerNetwork: number
}

/** Returns the refusal if there is no capacity for a stream with a key of this type from this network. */
type FindRefusal = (keyType: SdkKeyType, network: string) => HttpError | undefined

/** Creates the limits of the open streams in `connections`. */
export function createCapacityLimits(
  connections: Pick<StreamConnections, 'size' | 'publicSize' | 'publicFrom'>,
  { maxStreams, maxStreamsPerNetwork }: StreamCapacity
): FindRefusal {
  const maxPublicStreams = Math.ceil(maxStreams * MAX_PUBLIC_SHARE)
  const full = (reason: string) => unavailable(reason, RETRY_AFTER_FULL)
  return (keyType, network) => {
    const { size, publicSize } = connections
    // First, since it is the caller's own limit and not a failure of the server.
    const own = isPublicKeyType(keyType) ? connections.publicFrom(network) : 0
    if (maxStreamsPerNetwork > 0 && own >= maxStreamsPerNetwork) {
      const reason = `your network has ${own} open streams with client and mobile keys, which is the limit per network`
      return rateLimited(reason, RETRY_AFTER_FULL * SECOND)
    }
    if (size >= maxStreams) return full(`the server has ${size} open streams, which is its limit`)
    if (!isPublicKeyType(keyType) || publicSize < maxPublicStreams) return undefined
    return full(
      `the server has ${publicSize} open streams with client and mobile keys, which is their limit; the rest is reserved for server keys`
    )
  }
}

/** The share of streams available to public keys, so that web pages cannot take all streams from servers. */
const MAX_PUBLIC_SHARE = 0.8

import type { AddressInfo } from 'node:net'
import type { Logger } from '../lib/logger.ts'
import { isWildcard } from '../lib/network.ts'

/** The address at which clients reach a server. */
export interface PublicAddress {
  /** The configured address, else the listening address; empty until the server listens. */
  readonly publicUrl: () => string
  /** False if other hosts cannot use the address because it is a wildcard, such as `0.0.0.0`. */
  readonly isReachable: () => boolean
  /** Records where a server listens. Returns the listening address, for example `http://127.0.0.1:8080`. */
  readonly listenOn: (listening: { readonly address: () => AddressInfo }) => string
}

interface Options {
  readonly log: Logger
  /** Whether other servers can use the same store. */
  readonly isShared?: boolean
}

/** Creates the public address of a server. @param configured The setting `publicUrl`; empty if not set. */
export function createPublicAddress(configured: string, { log, isShared = false }: Options): PublicAddress {
  let publicUrl = configured
  let isReachable = true
  return {
    publicUrl: () => publicUrl,
    isReachable: () => isReachable,
    listenOn: (listening) => {
      const { address, port } = listening.address()
      const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
      if (publicUrl === '' && isWildcard(address)) {
        isReachable = false
        log.warn(
          'configs contain no stream address, so SDKs poll: set BURGEE_PUBLIC_URL to the address at which clients reach the server'
        )
      } else if (publicUrl === '' && isShared) {
        // Their documents would differ under one ETag, and each would refuse the tokens of the others.
        log.warn(
          `tokens and configs name the address ${url} of this server: set BURGEE_PUBLIC_URL if other servers share its database`
        )
      }
      publicUrl ||= url
      return url
    }
  }
}

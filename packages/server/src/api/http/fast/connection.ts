import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { RequestOrigin } from '../../../delivery/configs/keyRestrictions.ts'
import { networkOf, normalizeAddress } from '../../../lib/network.ts'
import type { RequestConnection } from '../../handlers/shared/handler.ts'
import { addressOf } from '../clientAddress.ts'
import { closedOf, isAbandoned } from '../response/closedOf.ts'

/**
 * The connection of a request with an SDK key. Most handlers do not read it, so its members are computed on access.
 */
export class Connection implements RequestConnection {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #trustedProxies: number

  constructor(request: IncomingMessage, response: ServerResponse, trustedProxies: number) {
    this.#request = request
    this.#response = response
    this.#trustedProxies = trustedProxies
  }

  isGone(): boolean {
    return isAbandoned(this.#response)
  }

  closed(): Promise<void> {
    return closedOf(this.#response)
  }

  get network(): string {
    return networkOf(addressOf(this.#request, this.#trustedProxies))
  }

  get from(): RequestOrigin {
    return originOf(this.#request, this.#trustedProxies)
  }

  get isConditional(): boolean {
    return this.#request.headers['if-none-match'] !== undefined
  }

  async reauthenticate(): Promise<TokenCaller> {
    throw new Error('an operation with an SDK key takes no access token')
  }
}

/** Returns the address and the web origin of a request. */
export function originOf(request: IncomingMessage, trustedProxies: number): RequestOrigin {
  return { address: normalizeAddress(addressOf(request, trustedProxies)), origin: request.headers.origin ?? '' }
}

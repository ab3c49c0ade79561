import type { IncomingMessage } from 'node:http'

/** The header in which a worker names its peer. Workers drop it from the requests of clients. */
export const PEER_HEADER = 'x-burgee-peer'

const peers = new WeakMap<IncomingMessage, string>()

/** Takes the address of the peer from a request that a worker has forwarded, and removes the header. */
export function takePeerAddress(request: IncomingMessage): void {
  peers.set(request, String(request.headers[PEER_HEADER] ?? ''))
  delete request.headers[PEER_HEADER]
}

/** Returns the address of the peer of a request: a client, or the proxy that is nearest to this server. */
export function peerAddressOf(request: Pick<IncomingMessage, 'socket'>): string {
  return peers.get(request as IncomingMessage) ?? request.socket.remoteAddress ?? ''
}

import type { EventStream } from '@burgee/contract/schemas'
import type { KeyConfig } from '../../delivery/configs/configs.ts'
import type { StreamTokens } from '../../identity/tokens/streamTokens.ts'
import { INACTIVITY_DELAY_MS } from './inactivityDelay.ts'
import type { Streams } from './streams.ts'
import { streamUrl } from './streamUrl.ts'

/** Where a client of OFREP is told of changes. */
export interface StreamAnnouncement {
  readonly eventStreams?: EventStream[]
  /**
   * Differs from one announcement to the next one that a client needs. It belongs in the ETag: a client that gets 304
   * goes on with the links it has, and asks every second for ever where they do not open a stream any more.
   */
  readonly tag: string
}

/** Makes the announcement for a caller. */
export type AnnounceStream = (caller: KeyConfig) => Promise<StreamAnnouncement>

interface Dependencies {
  readonly streams: Pick<Streams, 'hasCapacity'>
  readonly issue: StreamTokens['issue']
  /** The address under which callers reach the server, where it is set; otherwise they know better. */
  readonly publicUrl: string
}

/** Announces streams as long as there is room for more. */
export function createAnnounceStream({ streams, issue, publicUrl }: Dependencies): AnnounceStream {
  return async ({ keyDigest, keyType, version }) => {
    // A client that is refused would come back every second; without an announcement it does not.
    if (!streams.hasCapacity(keyType)) return { tag: 'full' }
    const { token, fingerprint } = await issue(keyDigest)
    const where = streamUrl(publicUrl, { token, since: version.id })
    const address = publicUrl ? { url: where } : { endpoint: { requestUri: where } }
    return {
      eventStreams: [{ type: 'sse', ...address, inactivityDelaySec: INACTIVITY_DELAY_MS / 1000 }],
      tag: fingerprint
    }
  }
}

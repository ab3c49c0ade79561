import type { EventStream } from '@burgee/contract/schemas'
import { whenReady } from '@burgee/kit'
import type { StreamToken, StreamTokens } from '../../identity/tokens/streamTokens.ts'
import { memoizeByIdentity } from '../../lib/object.ts'
import type { KeyConfig } from '../configs/keyConfig.ts'
import type { Streams } from './streams.ts'
import { INACTIVITY_DELAY_MS, streamUrl } from './streamUrl.ts'

/** Where an OFREP client receives change notifications. */
export interface StreamAnnouncement {
  readonly eventStreams?: EventStream[]
  /**
   * Changes whenever a client needs a new announcement, and is therefore part of the ETag: a client that receives 304
   * keeps its links, and retries every second if they no longer open a stream.
   */
  readonly tag: string
}

/** Creates the announcement for a caller. */
export type AnnounceStream = (
  caller: Pick<KeyConfig, 'keyDigest' | 'keyType' | 'version'>,
  network: string
) => StreamAnnouncement | Promise<StreamAnnouncement>

interface Dependencies {
  readonly streams: Pick<Streams, 'hasCapacity'>
  readonly issue: StreamTokens['issue']
  /** The public URL of the server, if set; clients otherwise use the origin they already call. */
  readonly publicUrl: string
}

/** Announces streams as long as there is capacity. */
export function createAnnounceStream({ streams, issue, publicUrl }: Dependencies): AnnounceStream {
  // All requests with a key get the same announcement until its token or its config changes.
  const toAnnouncement = memoizeByIdentity(({ token, fingerprint }: StreamToken, since: string): StreamAnnouncement => {
    const where = streamUrl(publicUrl, { token, since })
    const address = publicUrl ? { url: where } : { endpoint: { requestUri: where } }
    return {
      eventStreams: [{ type: 'sse', ...address, inactivityDelaySec: INACTIVITY_DELAY_MS / 1000 }],
      tag: fingerprint
    }
  })
  return ({ keyDigest, keyType, version }, network) => {
    // A client whose stream is rejected retries every second; a client without an announcement does not.
    if (!streams.hasCapacity(keyType, network)) return { tag: 'full' }
    return whenReady(issue(keyDigest), (token) => toAnnouncement(token, version.id))
  }
}

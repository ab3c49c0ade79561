import type { EventStream } from '@burgee/contract'
import type { SdkCaller } from '../caller.ts'
import { digestOf } from '../configs/configs.ts'
import { idOf } from './message.ts'
import type { Streams } from './streams.ts'

/** Where a client of OFREP is told of changes. */
export interface Announcement {
  readonly eventStreams?: EventStream[]
  /**
   * Differs from one announcement to the next one that a client needs. It belongs in the ETag: a client that gets 304
   * goes on with the links it has, and asks every second for ever where they do not open a stream any more.
   */
  readonly tag: string
}

/** Makes the announcement for a caller. */
export type Announce = (caller: SdkCaller) => Promise<Announcement>

/** A token that opens streams, and what tells it from others. */
interface IssuedToken {
  readonly token: string
  readonly tag: string
}

interface Dependencies {
  readonly streams: Pick<Streams, 'hasRoom'>
  readonly issue: (keyDigest: string) => Promise<IssuedToken>
  /** The address under which callers reach the server, where it is set; otherwise they know better. */
  readonly publicUrl: string
}

/** Announces streams as long as there is room for more. */
export function createAnnounce({ streams, issue, publicUrl }: Dependencies): Announce {
  const base = publicUrl.replace(/\/+$/, '')
  return async ({ sdkKey, version }) => {
    // A client that is refused would come back every second; without an announcement it does not.
    if (!streams.hasRoom()) return { tag: 'full' }
    const { token, tag } = await issue(digestOf(sdkKey))
    const requestUri = `/event-stream?token=${token}&since=${idOf(version)}`
    const address = base ? { url: `${base}${requestUri}` } : { endpoint: { requestUri } }
    return {
      eventStreams: [{ type: 'sse', ...address, inactivityDelaySec: INACTIVITY_DELAY }],
      tag
    }
  }
}

/** In seconds, as OFREP proposes. */
const INACTIVITY_DELAY = 120

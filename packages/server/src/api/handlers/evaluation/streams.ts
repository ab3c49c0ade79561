import type { Streams } from '../../../delivery/streams/streams.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly streams: Pick<Streams, 'open'>
}

/** Handler of the event stream. */
export function streams({ streams }: Dependencies): Pick<Handlers, 'streamEvents'> {
  return {
    streamEvents: ({ query }, caller, { network, from }) => {
      return streams.open({
        keyDigest: caller.keyDigest,
        keyType: caller.keyType,
        network,
        from,
        environment: caller.environment._id,
        kind: query.token === undefined ? 'sdk' : 'ofrep',
        since: query.since
      })
    }
  }
}

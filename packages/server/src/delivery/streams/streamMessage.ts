import type { StreamMessage } from '@burgee/contract/schemas'
import { memoizeByIdentity } from '../../lib/object.ts'
import { type ConfigVersion, toEtag } from '../configs/configVersions.ts'

/** The kind of subscribers of a stream: SDKs with an SDK key, or OFREP clients with a token. */
export type StreamKind = 'sdk' | 'ofrep'

/**
 * Formats the message for a new config version, in the format of this kind of subscribers. See
 * docs/reference/delivery.md#streams and docs/reference/ofrep.md#streams.
 */
export function formatVersionMessage(version: ConfigVersion, kind: StreamKind): string {
  return kind === 'sdk' ? formatSdkMessage(version) : formatOfrepMessage(version)
}

/** All streams of an environment send the same message. */
const formatSdkMessage = memoizeByIdentity((version: ConfigVersion) => {
  return formatMessage(version, { data: JSON.stringify(toSdkMessage(version)) })
})

const formatOfrepMessage = memoizeByIdentity((version: ConfigVersion) => {
  return formatMessage(version, toOfrepMessage(version))
})

function formatMessage({ id }: ConfigVersion, data: object): string {
  return `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An empty message that keeps the connection alive. */
export const KEEP_ALIVE = ':\n\n'

/** The preamble: the reconnection delay, and the version for readers without one. */
export function formatOpeningMessage(retryMs: number, version: ConfigVersion): string {
  return `retry: ${retryMs}\nid: ${version.id}\n\n`
}

function toSdkMessage(version: ConfigVersion): StreamMessage {
  return { type: 'refetchConfig', etag: toEtag(version), lastModified: version.lastModified }
}

function toOfrepMessage(version: ConfigVersion): StreamMessage {
  return { type: 'refetchEvaluation', etag: toEtag(version), lastModified: version.lastModified / 1000 }
}

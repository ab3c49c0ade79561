import type { StreamMessage } from '@burgee/contract/schemas'
import { type ConfigVersion, toEtag } from '../configs/configVersions.ts'

/** Whom a stream is for: SDKs with a key of theirs, or clients of OFREP with a token. */
export type StreamKind = 'sdk' | 'ofrep'

/** Says that the config has come to a version, in the form that its readers know (`evaluation.md` §1.5, `ofrep.md` §1.5). */
export function formatVersionMessage(version: ConfigVersion, kind: StreamKind): string {
  const data = kind === 'sdk' ? { data: JSON.stringify(toSdkMessage(version)) } : toOfrepMessage(version)
  return `id: ${version.id}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A message that says nothing, so that connections are not taken for dead. */
export const KEEP_ALIVE = ':\n\n'

/** What comes first: how long to wait before coming back, and the version that a reader knows who is told nothing. */
export function formatOpeningMessage(retryMs: number, version: ConfigVersion): string {
  return `retry: ${retryMs}\nid: ${version.id}\n\n`
}

function toSdkMessage(version: ConfigVersion): StreamMessage {
  return { type: 'refetchConfig', etag: toEtag(version), lastModified: version.lastModified }
}

function toOfrepMessage(version: ConfigVersion): StreamMessage {
  return { type: 'refetchEvaluation', etag: toEtag(version), lastModified: version.lastModified / 1000 }
}

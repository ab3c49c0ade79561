import type { StreamMessage } from '@burgee/contract'
import type { ConfigVersion } from '../configs/versions.ts'

/** Whom a stream is for: SDKs with a key of theirs, or clients of OFREP with a token. */
export type StreamKind = 'sdk' | 'ofrep'

/** Says that the config has come to a version, in the form that its readers know (`evaluation.md` §1.5, `ofrep.md` §1.5). */
export function messageOf(version: ConfigVersion, kind: StreamKind): string {
  const data = kind === 'sdk' ? { data: JSON.stringify(sayToSdk(version)) } : sayToOfrep(version)
  return `id: ${idOf(version)}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A message that says nothing, so that connections are not taken for dead. */
export const KEEP_ALIVE = ':\n\n'

/** What comes first: how long to wait before coming back, and the version that a reader knows who is told nothing. */
export function greeting(retryMs: number, version: ConfigVersion): string {
  return `retry: ${retryMs}\nid: ${idOf(version)}\n\n`
}

/** How `Last-Event-ID` and links name a version. */
export function idOf({ etag }: ConfigVersion): string {
  return etag.replaceAll('"', '')
}

function sayToSdk({ etag, lastModified }: ConfigVersion): StreamMessage {
  return { type: 'refetchConfig', etag, lastModified }
}

function sayToOfrep({ etag, lastModified }: ConfigVersion): StreamMessage {
  return { type: 'refetchEvaluation', etag, lastModified: lastModified / 1000 }
}

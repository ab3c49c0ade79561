import type { KeyObject } from 'node:crypto'
import type { AuditAnchor } from '@burgee/contract/schemas'
import { every } from '@burgee/kit'
import type { Logger } from '../../lib/logger.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import { HOUR, MINUTE, toIsoString } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import { signAnchor } from './anchor.ts'

interface Dependencies {
  readonly store: Store
  readonly key: KeyObject
  /** The key of the organization. */
  readonly organization: string
  /** The address that anchors are posted to; empty to log them only. */
  readonly url: string
  readonly send: SafeFetch
  readonly now: () => number
  readonly log: Logger
  /** Milliseconds between two anchors. Default: an hour. */
  readonly intervalMs?: number | undefined
}

/**
 * Signs the head of the audit log at once and each hour, logs it, and posts it. Anchors that the receiver does not take
 * are sent again each minute, in order.
 */
export function publishAnchors(dependencies: Dependencies): { readonly close: () => Promise<void> } {
  const { store, key, organization, url, send, now, log, intervalMs = HOUR } = dependencies
  const unsent: AuditAnchor[] = []
  const closing = new AbortController()
  let signedAt = Number.NEGATIVE_INFINITY

  const sign = async () => {
    const { auditHead } = (await store.collection('organizations').get({ key: organization })) ?? {}
    if (!auditHead) return
    const { position, hash: head } = auditHead
    const anchor = signAnchor({ organization, position, head, date: toIsoString(now()) }, key)
    log.info({ auditAnchor: anchor }, 'anchor of the audit log')
    if (url === '') return
    unsent.push(anchor)
    if (unsent.length > MAX_UNSENT) unsent.shift()
  }
  const deliver = async () => {
    for (let anchor = unsent[0]; anchor; anchor = unsent[0]) {
      const body = JSON.stringify({ type: 'audit.anchor', anchor })
      const response = await send({ url, headers: { 'content-type': 'application/json' }, body }, closing.signal)
      if (response.type === 'failed') throw new Error(response.reason)
      if (response.status < 200 || response.status > 299) throw new Error(`the receiver returned ${response.status}`)
      unsent.shift()
    }
  }
  const job = every(
    intervalMs,
    async () => {
      // A retry after a failed delivery signs again only when the next anchor is due.
      if (performance.now() - signedAt >= intervalMs - TOLERANCE_MS) {
        await sign()
        signedAt = performance.now()
      }
      await deliver()
    },
    {
      immediately: true,
      retryMs: Math.min(intervalMs, MINUTE),
      onError: (error) => {
        if (!closing.signal.aborted) {
          log.warn({ err: error, unsent: unsent.length }, 'the anchor of the audit log could not be sent')
        }
      }
    }
  )
  return {
    close: async () => {
      closing.abort()
      await job.stop()
    }
  }
}

/** Timers can fire early. */
const TOLERANCE_MS = 5

/** Anchors kept for a receiver that is down: a week of them. */
const MAX_UNSENT = 168

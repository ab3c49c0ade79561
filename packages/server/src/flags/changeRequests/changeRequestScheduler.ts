import { every } from '@burgee/kit'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { applyScheduledRequest, type SchedulerDependencies } from './applyScheduledRequest.ts'

/** Applies scheduled change requests when they are due. */
export interface ChangeRequestScheduler {
  /** Stops the scheduler and waits for the request that is being applied. */
  readonly close: () => Promise<void>
}

/**
 * Watches the store for scheduled change requests, and applies each when it is due by the server's clock. Requests that
 * became due while the server was down are applied at once.
 */
export async function openChangeRequestScheduler(
  dependencies: SchedulerDependencies & { readonly checkMs?: number | undefined }
): Promise<ChangeRequestScheduler> {
  const { store, log, now, checkMs = CHECK_INTERVAL_MS } = dependencies
  /** When each scheduled request is due: id → epoch milliseconds. */
  const dueTimes = new Map<string, number>()
  let isClosed = false

  const follow = (id: string, request: StoredChangeRequest | undefined): void => {
    const applyAt = request?.status === 'approved' ? request.applyAt : undefined
    if (applyAt === undefined) dueTimes.delete(id)
    else dueTimes.set(id, Date.parse(applyAt))
  }

  /** Applies due requests one after the other, the earliest first. */
  const applyDue = async (): Promise<void> => {
    const due = [...dueTimes].filter(([, moment]) => moment <= now()).sort(([, one], [, other]) => one - other)
    for (const [id] of due) if (!isClosed) await applyScheduledRequest(dependencies, id)
  }

  const unsubscribe = store.subscribe(({ writes }) => {
    for (const { collection, before, after } of writes) {
      if (collection === 'changeRequests') follow((after ?? before)?._id ?? '', after)
    }
  })
  const { items } = await store.collection('changeRequests').list({ where: { status: 'approved' } })
  for (const request of items) follow(request._id, request)
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'a scheduled change request could not be applied; retrying')
  const job = every(checkMs, applyDue, { onError, retryMs: RETRY_MS, immediately: true })
  return {
    close: () => {
      isClosed = true
      unsubscribe()
      return job.stop()
    }
  }
}

/** How often the scheduler compares the clock. */
const CHECK_INTERVAL_MS = 250

/** The delay after the store refused a write. */
const RETRY_MS = 5000

import type { StoredChangeRequest } from '../../storage/resources.ts'
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
  dependencies: SchedulerDependencies & { readonly now: () => number; readonly checkMs?: number | undefined }
): Promise<ChangeRequestScheduler> {
  const { store, log, now, checkMs = CHECK_INTERVAL_MS } = dependencies
  /** When each scheduled request is due: id → epoch milliseconds. */
  const dueTimes = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve()
  let isClosed = false

  const follow = (id: string, request: StoredChangeRequest | undefined): void => {
    const applyAt = request?.status === 'approved' ? request.applyAt : undefined
    if (applyAt === undefined) dueTimes.delete(id)
    else dueTimes.set(id, Date.parse(applyAt))
  }

  /** Applies due requests one after the other, the earliest first. Returns the delay until the next round. */
  const applyAll = async (): Promise<number> => {
    try {
      const due = [...dueTimes].filter(([, moment]) => moment <= now()).sort(([, one], [, other]) => one - other)
      for (const [id] of due) if (!isClosed) await applyScheduledRequest(dependencies, id)
      return checkMs
    } catch (error) {
      log.warn({ err: error }, 'a scheduled change request could not be applied; retrying')
      return RETRY_MS
    }
  }

  /** Starts the timer if a request is scheduled and no round is running. */
  const wait = (ms: number): void => {
    if (isClosed || timer || dueTimes.size === 0) return
    timer = setTimeout(() => {
      round = applyAll().then((next) => {
        timer = undefined
        wait(next)
      })
    }, ms)
    timer.unref()
  }

  const unsubscribe = store.subscribe(({ writes }) => {
    for (const { collection, before, after } of writes) {
      if (collection === 'changeRequests') follow((after ?? before)?._id ?? '', after)
    }
    wait(checkMs)
  })
  const { items } = await store.collection('changeRequests').list({ where: { status: 'approved' } })
  for (const request of items) follow(request._id, request)
  wait(0)
  return {
    close: () => {
      isClosed = true
      unsubscribe()
      clearTimeout(timer)
      return round
    }
  }
}

/** How often the scheduler compares the clock. */
const CHECK_INTERVAL_MS = 250

/** The delay after the store refused a write. */
const RETRY_MS = 5000

import type { StoredChangeRequest } from '../../storage/resources.ts'
import { applyScheduledRequest, type SchedulerDependencies } from './applyScheduledRequest.ts'

/** Applies change requests when their moment has come. */
export interface ChangeRequestScheduler {
  /** Waits for the one that is being applied; no further one is. */
  readonly close: () => Promise<void>
}

/**
 * Follows the store for change requests that are scheduled, and applies each when the server's clock says so: those whose
 * moment passed while there was no server, at once.
 */
export async function openChangeRequestScheduler(
  dependencies: SchedulerDependencies & { readonly now: () => number; readonly checkIntervalMs?: number | undefined }
): Promise<ChangeRequestScheduler> {
  const { store, log, now, checkIntervalMs = CHECK_INTERVAL_MS } = dependencies
  /** Those that are scheduled: id → moment, in milliseconds. */
  const moments = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve()
  let isClosed = false

  const follow = (id: string, request: StoredChangeRequest | undefined): void => {
    const applyAt = request?.status === 'approved' ? request.applyAt : undefined
    if (applyAt === undefined) moments.delete(id)
    else moments.set(id, Date.parse(applyAt))
  }

  /** One after the other, the earliest first. Answers how long to wait for the next round. */
  const applyAll = async (): Promise<number> => {
    try {
      const due = [...moments].filter(([, moment]) => moment <= now()).sort(([, one], [, other]) => one - other)
      for (const [id] of due) if (!isClosed) await applyScheduledRequest(dependencies, id)
      return checkIntervalMs
    } catch (error) {
      log.warn({ err: error }, 'a change request could not be applied yet; it will be tried again')
      return RETRY_MS
    }
  }

  /** There is a timer, or a round under way, exactly while something is scheduled. */
  const wait = (ms: number): void => {
    if (isClosed || timer || moments.size === 0) return
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
    wait(checkIntervalMs)
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

/** How often the clock is looked at. */
const CHECK_INTERVAL_MS = 250

/** How long a store that refuses writes is left alone. */
const RETRY_MS = 5000

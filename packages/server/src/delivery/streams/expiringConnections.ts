import { every } from '@burgee/kit'
import { crash } from './keepAlive.ts'

/** The connections whose key expires. */
export interface ExpiringConnections<T> {
  /** Schedules closing a connection, in epoch milliseconds; never if infinite. Replaces its previous time. */
  readonly closeAt: (member: T, moment: number) => void
  readonly remove: (member: T) => void
  readonly stop: () => void
}

/** Closes connections when their key expires. Polls the clock, because timers are limited to 24.8 days. */
export function openExpiringConnections<T>(
  close: (member: T) => void,
  { now, checkMs }: { readonly now: () => number; readonly checkMs: number }
): ExpiringConnections<T> {
  const moments = new Map<T, number>()
  const check = () => {
    if (moments.size === 0) return
    const time = now()
    for (const [member, moment] of moments) if (moment <= time) close(member)
  }
  const job = every(checkMs, check, { onError: crash })
  return {
    closeAt: (member, moment) => {
      if (Number.isFinite(moment)) moments.set(member, moment)
      else moments.delete(member)
    },
    remove: (member) => void moments.delete(member),
    stop: () => void job.stop()
  }
}

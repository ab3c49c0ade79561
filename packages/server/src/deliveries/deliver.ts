import type { WebhookAttempt } from '@burgee/contract'
import { serverCaller } from '../access/serverCaller.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { inUtc } from '../inUtc.ts'
import type { Logger } from '../log.ts'
import type { Send } from '../outbound/send.ts'
import type { StoredDelivery } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { afterAttempt, attemptOf, isGone, isSuccess } from './afterAttempt.ts'
import type { Backlog } from './backlog.ts'
import type { CourierPace } from './courierPace.ts'
import { keepDelivery } from './keepDelivery.ts'
import { partsOf, type ReceiverKind, type ReceiversByKind } from './receivers.ts'
import type { Standings } from './standing.ts'

/** What it takes to deliver. */
export interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly send: Send
  readonly receivers: ReceiversByKind
  /** The key of the organization. */
  readonly organization: string
  readonly now: () => number
  /** At least 0 and less than 1. */
  readonly random: () => number
  readonly log: Logger
  readonly pace: CourierPace
  /** Told of each attempt when it is over. */
  readonly onAttempt: (receiver: ReceiverKind, outcome: 'succeeded' | 'failed') => void
  /** Told of each message that is delivered or given up, once that is kept. */
  readonly onSettled: (receiver: ReceiverKind, status: 'delivered' | 'dead') => void
}

/** What one server works with while it delivers. */
export interface Delivering extends Dependencies {
  readonly backlog: Backlog
  readonly standings: Standings
  /** Cuts off what takes longer than the server has. */
  readonly cut: AbortSignal
}

/** Tries to deliver. Answers the delivery as it is then, which is durable by that time; nothing when nothing is to become of it any more. */
export async function deliver(delivering: Delivering, delivery: StoredDelivery): Promise<StoredDelivery | undefined> {
  const { backlog, receivers, send, now, random, cut, standings, log, onAttempt } = delivering
  const { kind } = partsOf(delivery.receiver)
  const at = now()
  const prepared = await receivers[kind].prepare(delivery, at)
  if (!prepared) {
    await backlog.drop(delivery)
    return undefined
  }
  if (prepared.type === 'refused') return keep(delivering, givenUp(delivery, prepared.reason, at))
  const answer = await send(prepared.request, cut)
  if (cut.aborted && answer.type === 'failed') return delivery
  const made = attemptOf(answer, at)
  if (
    prepared.onFailure &&
    made.error !== undefined &&
    !standings.isKnownToFail(delivery.receiver, prepared.editedAt)
  ) {
    log.warn({ ...prepared.onFailure.members, reason: made.error }, prepared.onFailure.words)
  }
  standings.note(delivery.receiver, made)
  onAttempt(kind, isSuccess(made) ? 'succeeded' : 'failed')
  const { retryAfterMs } = answer.type === 'answered' ? answer : {}
  const after = await keep(delivering, afterAttempt(delivery, made, { now: now(), random, retryAfterMs }))
  await switchOffHopeless(delivering, delivery, made, prepared.editedAt)
  return after
}

async function keep(delivering: Delivering, delivery: StoredDelivery): Promise<StoredDelivery> {
  await keepDelivery(delivering, delivery)
  if (delivery.status !== 'pending') delivering.onSettled(partsOf(delivery.receiver).kind, delivery.status)
  return delivery
}

function givenUp({ nextAttemptAt: _, ...delivery }: StoredDelivery, reason: string, at: number): StoredDelivery {
  return { ...delivery, status: 'dead', reason, updatedAt: inUtc(at) }
}

/** Switches a receiver off that says it is gone, or that failed for days. What the store refuses is tried again after the next failure. */
async function switchOffHopeless(
  { receivers, edit, organization, standings, log }: Delivering,
  { receiver }: StoredDelivery,
  made: WebhookAttempt,
  editedAt: string
): Promise<void> {
  const { kind, id } = partsOf(receiver)
  const { switchOff } = receivers[kind]
  const since = standings.failsTooLong(receiver, editedAt)
  const reason = isGone(made) ? GONE : since && `nothing could be delivered to it since ${inUtc(since)}`
  if (!switchOff || !reason) return
  try {
    const isOff = await edit(serverCaller(organization), (change) => switchOff(change, id, { reason, editedAt }))
    if (isOff) log.warn({ receiver, reason }, 'a receiver of changes was switched off')
  } catch (error) {
    log.warn({ err: error, receiver }, 'a receiver of changes could not be switched off')
  }
}

const GONE = 'it answered 410, which says that it is gone for good'

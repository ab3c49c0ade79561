import type { PooledString } from './stringPool.ts'

/** An event in the body of `/v1/events/batch`, without `featureVars` (`docs/reference/events.md`). */
export interface BatchEvent {
  readonly type: 'customEvent' | 'variableEvaluated' | 'aggVariableEvaluated' | 'aggVariableDefaulted'
  /** The name of a custom event. */
  readonly customType?: string
  /** The key of the evaluated variable. */
  readonly target?: string
  readonly user_id: string
  readonly date: string
  readonly clientDate: string
  readonly value?: number
  readonly metaData?: Readonly<Record<string, unknown>>
}

/** An event and its user as JSON: a snapshot of known size. */
export interface UserEvent {
  readonly user: string
  readonly event: string
  /** Feature id → variation id. */
  readonly featureVars: PooledString
  /** The size in a request body. */
  readonly bytes: number
}

/** A user as sent with events, without private data. */
export type EventUser = { readonly user_id: string; readonly [member: string]: unknown }

/** The events of one request. Retries keep the id, so that the server counts them once. */
export interface Payload {
  readonly id: string
  readonly events: readonly UserEvent[]
}

/** Returns the request body: the events by user, in order. */
export function toRequestBody({ events }: Payload): string {
  const batch = new Map<string, string[]>()
  for (const { user, event, featureVars } of events) {
    const texts = batch.get(user) ?? []
    texts.push(`${event.slice(0, -1)},"featureVars":${featureVars.text}}`)
    batch.set(user, texts)
  }
  const entries = [...batch].map(([user, texts]) => `{"user":${user},"events":[${texts.join()}]}`)
  return `{"batch":[${entries.join()}]}`
}

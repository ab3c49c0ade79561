import type { PooledString } from './stringPool.ts'

/** An event as `/v1/events/batch` takes it, but for `featureVars` (`evaluation.md` §8.2). */
export interface BatchEvent {
  readonly type: 'customEvent' | 'variableEvaluated' | 'aggVariableEvaluated' | 'aggVariableDefaulted'
  /** What the application calls a custom event. */
  readonly customType?: string
  /** The key of the variable that was evaluated. */
  readonly target?: string
  readonly user_id: string
  readonly date: string
  readonly clientDate: string
  readonly value?: number
  readonly metaData?: Readonly<Record<string, unknown>>
}

/** An event and whose it is, as JSON texts: what is kept cannot change any more, and its size is known. */
export interface UserEvent {
  readonly user: string
  readonly event: string
  /** Feature id → variation id. */
  readonly featureVars: PooledString
  /** How much of a request it takes. */
  readonly bytes: number
}

/** A user as events tell of them: everything but what is private. */
export type EventUser = { readonly user_id: string; readonly [member: string]: unknown }

/** What goes out in one request. It keeps its id however often it is sent, so that the server counts it once. */
export interface Payload {
  readonly id: string
  readonly events: readonly UserEvent[]
}

/** The body of a payload: the events by user, in the order in which they came. */
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

/** An event as `/v1/events/batch` takes it (`evaluation.md` §8.2). */
export interface BatchEvent {
  readonly type: 'customEvent' | 'aggVariableEvaluated' | 'aggVariableDefaulted'
  /** What the application calls a custom event. */
  readonly customType?: string
  /** The key of the variable that was evaluated. */
  readonly target?: string
  readonly user_id: string
  readonly date: string
  readonly clientDate: string
  readonly value?: number
  /** Feature id → variation id. */
  readonly featureVars: Readonly<Record<string, string>>
  readonly metaData?: Readonly<Record<string, unknown>>
}

/** An event and whose it is. */
export interface UserEvent {
  readonly user: EventUser
  readonly event: BatchEvent
}

/** A user as events tell of them: everything but what is private. */
export type EventUser = { readonly user_id: string; readonly [member: string]: unknown }

/** What goes out in one request. It keeps its id however often it is sent, so that the server counts it once. */
export interface Payload {
  readonly id: string
  readonly events: readonly UserEvent[]
}

/** The body of a payload: the events by user, in the order in which they came. */
export function toBody({ events }: Payload): string {
  const batch = new Map<string, { user: EventUser; events: BatchEvent[] }>()
  for (const { user, event } of events) {
    const text = JSON.stringify(user)
    const entry = batch.get(text) ?? { user, events: [] }
    entry.events.push(event)
    batch.set(text, entry)
  }
  return JSON.stringify({ batch: [...batch.values()] })
}

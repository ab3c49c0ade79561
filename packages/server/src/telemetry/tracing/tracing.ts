import type { Logger } from '../../lib/logger.ts'

/** What the server tells of how it spends its time: spans, as OpenTelemetry has them. Whoever makes one knows this, and no library. */
export interface Tracing {
  /** Runs `work` as the first span of this server in a trace: one that a caller has begun, or a new one. */
  readonly trace: <T>(beginning: SpanOptions, work: (span: Span) => Promise<T>) => Promise<T>
  /** Runs `work` as a part of the span that is under way; where none is, or it has ended, nothing is told. */
  readonly childSpan: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Sends what has not been sent, within a bound. */
  readonly close: () => Promise<void>
}

/** Where traces go, and what they say of the server as a whole. */
export interface TracingOptions {
  /** The address of an OTLP receiver; nothing is told to anybody where it is empty. */
  readonly endpoint: string
  /** The version of this program. */
  readonly software: string
  readonly log: Logger
}

/** How a span begins. */
export interface SpanOptions {
  readonly name: string
  /** Whether the server answers somebody, or asks somebody. */
  readonly kind: 'server' | 'client'
  /** The span of the caller that this is a part of, as W3C Trace Context has it. */
  readonly traceparent?: string | undefined
  readonly attributes: SpanAttributes
}

/** A span that is under way. */
export interface Span {
  /** Gives it a name that is better than the one it began with. */
  readonly rename: (name: string) => void
  readonly set: (attributes: SpanAttributes) => void
  /** Marks it as failed, with a word for the kind of failure: never a message, which can name anybody. */
  readonly fail: (errorType: string) => void
}

/** What a span says of itself: nothing secret, and nothing about people. */
export type SpanAttributes = Readonly<Record<string, string | number>>

const noopSpan: Span = { rename: () => {}, set: () => {}, fail: () => {} }

/** Tells nothing to anybody. */
export const noTracing: Tracing = {
  trace: (_, work) => work(noopSpan),
  childSpan: (_, work) => work(),
  close: async () => {}
}

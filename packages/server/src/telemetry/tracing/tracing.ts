import type { Logger } from '../../lib/logger.ts'

/** The tracing interface of the server. Only the implementation depends on OpenTelemetry. */
export interface Tracing {
  /** Runs `work` in the server's root span, as part of the caller's trace or of a new one. */
  readonly trace: <T>(options: SpanOptions, work: (span: Span) => Promise<T>) => Promise<T>
  /** Runs `work` in a child of the active span; untraced if there is none or it has ended. */
  readonly childSpan: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Flushes pending spans, with a timeout. */
  readonly close: () => Promise<void>
}

/** The endpoint for traces, and the attributes of the server. */
export interface TracingOptions {
  /** The OTLP endpoint; tracing is off if empty. */
  readonly endpoint: string
  /** The version of the server. */
  readonly serverVersion: string
  readonly log: Logger
}

/** The initial state of a span. */
export interface SpanOptions {
  readonly name: string
  /** Whether the server handles a request or sends one. */
  readonly kind: 'server' | 'client'
  /** The caller's `traceparent` header. */
  readonly traceparent?: string | undefined
  readonly attributes: SpanAttributes
}

/** An active span. */
export interface Span {
  /** Replaces the name of the span. */
  readonly rename: (name: string) => void
  readonly set: (attributes: SpanAttributes) => void
  /** Marks the span as failed with an error kind. Never pass a message: it can contain personal data. */
  readonly fail: (errorType: string) => void
}

/** Attributes of a span. They contain no secrets and no personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>

const noopSpan: Span = { rename: () => {}, set: () => {}, fail: () => {} }

/** Tracing that does nothing. */
export const noTracing: Tracing = {
  trace: (_, work) => work(noopSpan),
  childSpan: (_, work) => work(),
  close: async () => {}
}

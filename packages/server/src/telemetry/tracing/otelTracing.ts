import { AsyncLocalStorage } from 'node:async_hooks'
import { withDeadline } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import { type Context, type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { HttpError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { parseTraceparent } from './traceparent.ts'
import type { Span, SpanOptions, Tracing, TracingOptions } from './tracing.ts'
import { warnOnceOnFailure } from './warnOnceOnFailure.ts'

/**
 * Exports spans to an OTLP endpoint, in batches. If the endpoint is slow or unreachable, spans are dropped; requests
 * are not affected.
 */
export function createOtelTracing({ endpoint, serverVersion, log }: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'burgee-server', 'service.version': serverVersion }),
    // The sampling decision of the caller applies to the whole trace.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter: exporterTo(endpoint, log) })]
  })
  const tracer = provider.getTracer('burgee-server', serverVersion)
  // A private provider instead of the global one: several servers can run in one process, also alongside a traced
  // application.
  const current = new AsyncLocalStorage<Current>()

  const run = async <T>(span: OtelSpan, parent: Context, work: (span: Span) => Promise<T>): Promise<T> => {
    const entry = { span, context: trace.setSpan(parent, span) }
    try {
      return await current.run(entry, () => work(toSpan(span)))
    } catch (error) {
      // An `HttpError` is a regular response, not a failure.
      if (!(error instanceof HttpError)) toSpan(span).fail(error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }
  return {
    trace: ({ name, kind, traceparent, attributes }, work) => {
      const caller = parseTraceparent(traceparent)
      const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
      return run(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent), parent, work)
    },
    childSpan: (name, work) => {
      const active = current.getStore()
      if (!active?.span.isRecording()) return work()
      return run(tracer.startSpan(name, {}, active.context), active.context, work)
    },
    // Export failures have been logged.
    close: () =>
      withDeadline(
        FLUSH_MS,
        provider.shutdown().catch(() => {}),
        () => {}
      )
  }
}

/** The active span and its OpenTelemetry context. */
interface Current {
  readonly span: OtelSpan
  readonly context: Context
}

const kinds: Readonly<Record<SpanOptions['kind'], SpanKind>> = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

function exporterTo(endpoint: string, log: Logger) {
  const url = `${withoutTrailingSlashes(endpoint)}/v1/traces`
  return warnOnceOnFailure(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), (error) =>
    log.warn({ err: error }, 'traces cannot be exported; spans are dropped until the endpoint is available')
  )
}

/** Timeout of one batch, in milliseconds. */
const EXPORT_MS = 5_000

/** How long shutdown waits for the last batch, in milliseconds. */
const FLUSH_MS = 2_000

function toSpan(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (errorType) => void span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
  }
}

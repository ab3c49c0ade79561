import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** An exporter that tells of its first failure, and is silent about those that follow until it has worked again. */
export function warnOnceOnFailure(exporter: SpanExporter, warn: (error: Error | undefined) => void): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== SUCCESS
        if (hasFailed && !isFailing) warn(result.error)
        isFailing = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown()
  }
}

/** `ExportResultCode.SUCCESS` of the library. */
const SUCCESS = 0

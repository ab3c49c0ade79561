import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** Reports the first failure of an exporter and stays silent until an export succeeds again. */
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

import { OptionError } from '../../lib/errors.ts'
import { noTracing, type Tracing, type TracingOptions } from './tracing.ts'

/**
 * Begins to tell where time goes. OpenTelemetry is loaded only then: few want it, it takes a while, and its packages are as large
 * as all others together, so that they are installed only by those who ask for them (ADR 30).
 * @throws {OptionError} when an address is given, and the packages are not installed.
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  if (options.endpoint === '') return noTracing
  const { createOtelTracing: openTelemetry } = await load()
  return openTelemetry(options)
}

async function load(): Promise<typeof import('./otelTracing.ts')> {
  try {
    return await import('./otelTracing.ts')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new OptionError(`BURGEE_OTLP_ENDPOINT takes packages that are not installed. Run: npm install ${PACKAGES}`, {
      cause
    })
  }
}

/** The optional peers in the manifest. */
const PACKAGES = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace']
  .map((name) => `@opentelemetry/${name}`)
  .join(' ')

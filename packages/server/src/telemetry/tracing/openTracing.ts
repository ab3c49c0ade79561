import { hasCode } from '@burgee/kit/files'
import { OptionError } from '../../lib/errors.ts'
import { noTracing, type Tracing, type TracingOptions } from './tracing.ts'

/**
 * Starts tracing. OpenTelemetry is loaded on demand, because its packages are as large as all others together.
 * Operators who want traces install them (docs/adr/dependencies.md).
 * @throws {OptionError} if an endpoint is set and the packages are not installed.
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
    if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new OptionError(`BURGEE_OTLP_ENDPOINT needs packages that are not installed. Run: npm install ${PACKAGES}`, {
      cause
    })
  }
}

/** The optional peer dependencies of the manifest. */
const PACKAGES = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace']
  .map((name) => `@opentelemetry/${name}`)
  .join(' ')

import { randomUUID } from 'node:crypto'
import { type Client, type Logger, OpenFeature, ProviderEvents } from '@openfeature/server-sdk'
import { afterEach } from 'vitest'
import { BurgeeProvider } from '../../src/index.ts'
import type { ProviderOptions } from '../../src/options.ts'

/** The key of providers under test. No message may contain it. */
export const sdkKey = 'dvc_server_the-secret-key-of-the-tests'

/** Short waits where a test needs them, and long ones where they should have no effect. */
export const quick = {
  pollIntervalMs: 20,
  safetyPollMs: 60_000,
  staleAfterMs: 30,
  errorAfterMs: 90,
  initTimeoutMs: 5_000,
  retry: { initialMs: 10, maxMs: 40, refusedMs: 20, refusedMaxMs: 40 },
  events: false
} as const

/** A provider in an application, with everything that it reported. */
export interface Bound {
  readonly provider: BurgeeProvider
  readonly client: Client
  /** The events in order: their names without `PROVIDER_`, and the flags that changed. */
  readonly events: string[]
  /** Everything that was logged. */
  readonly logs: string[]
  /** The error of `setProviderAndWait`, if it failed. */
  readonly error: Error | undefined
}

afterEach(async () => {
  await OpenFeature.clearProviders()
})

/** Registers a provider with OpenFeature and waits until its start has succeeded or failed. */
export async function bind(options: ProviderOptions): Promise<Bound> {
  const logs: string[] = []
  const provider = new BurgeeProvider({ logger: loggerTo(logs), ...options })
  return { provider, logs, ...(await attach(provider)) }
}

/** Registers a provider with OpenFeature under a domain of its own. */
export async function attach(provider: BurgeeProvider): Promise<Pick<Bound, 'client' | 'events' | 'error'>> {
  const domain = randomUUID()
  const client = OpenFeature.getClient(domain)
  const events: string[] = []
  for (const event of Object.values(ProviderEvents)) {
    provider.events.addHandler(event as ProviderEvents, (details) => {
      const { flagsChanged = [] } = (details ?? {}) as { flagsChanged?: string[] }
      events.push([event.replace('PROVIDER_', ''), ...flagsChanged].join(' '))
    })
  }
  const error = await OpenFeature.setProviderAndWait(domain, provider).then(
    () => undefined,
    (reason) => reason
  )
  return { client, events, error }
}

/** Polls a condition; fails after thirty seconds. */
export async function until(condition: () => unknown, what = condition.toString()): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never came true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Polls until a count is stable. */
export async function settled(count: () => number): Promise<void> {
  let last = -1
  await until(async () => {
    const isSame = count() === last
    last = count()
    if (!isSame) await delay(300)
    return isSame
  }, 'the count is stable')
}

/** Resolves after a delay. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function loggerTo(lines: string[]): Logger {
  const write = (...parts: unknown[]): void => void lines.push(parts.join(' '))
  return { error: write, warn: write, info: write, debug: write }
}

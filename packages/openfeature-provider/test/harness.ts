import { randomUUID } from 'node:crypto'
import { type Client, type Logger, OpenFeature, ProviderEvents } from '@openfeature/server-sdk'
import { afterEach } from 'vitest'
import { BurgeeProvider } from '../src/index.ts'
import type { ProviderOptions } from '../src/options.ts'

/** The key that providers under test have: no message may hold it. */
export const sdkKey = 'dvc_server_the-secret-key-of-the-tests'

/** Waits as short as they can be where they are made, and long where nothing should come of them. */
export const quick = {
  pollIntervalMs: 20,
  safetyPollMs: 60_000,
  staleAfterMs: 30,
  errorAfterMs: 90,
  initTimeoutMs: 5_000,
  retry: { initialMs: 10, maxMs: 40, refusedMs: 20, refusedMaxMs: 40 },
  events: false
} as const

/** A provider as an application has it, with everything that it told. */
export interface Bound {
  readonly provider: BurgeeProvider
  readonly client: Client
  /** The events in order: their names without `PROVIDER_`, and the flags that changed. */
  readonly events: string[]
  /** Everything that was logged. */
  readonly logs: string[]
  /** What `setProviderAndWait` failed with, if it did. */
  readonly error: Error | undefined
}

afterEach(async () => {
  await OpenFeature.clearProviders()
})

/** Gives a provider to OpenFeature's SDK and waits until it is initialised, or has failed to be. */
export async function bind(options: ProviderOptions): Promise<Bound> {
  const logs: string[] = []
  const provider = new BurgeeProvider({ logger: loggerTo(logs), ...options })
  return { provider, logs, ...(await attach(provider)) }
}

/** Gives a provider to OpenFeature's SDK under a name of its own. */
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

/** Waits until something is so; fails after ten seconds. */
export async function until(isSo: () => unknown, what = isSo.toString()): Promise<void> {
  const end = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`never came true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Waits until a count has not changed for a while. */
export async function settled(count: () => number): Promise<void> {
  let last = -1
  await until(async () => {
    const isSame = count() === last
    last = count()
    if (!isSame) await rest(300)
    return isSame
  }, 'that it settles')
}

/** Lets some time pass in which nothing should happen. */
export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function loggerTo(lines: string[]): Logger {
  const write = (...parts: unknown[]): void => void lines.push(parts.join(' '))
  return { error: write, warn: write, info: write, debug: write }
}

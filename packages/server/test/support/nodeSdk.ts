import type { Json } from '@burgee/core'
import type { TestServer } from '@burgee/testing/harness'
import { DAY, keyOf, NOW } from '@burgee/testing/plan'
import {
  type DevCycleClient,
  type DevCycleCloudClient,
  type DevCycleOptions,
  initializeDevCycle
} from '@devcycle/nodejs-server-sdk'
import { afterAll, beforeAll, vi } from 'vitest'

// The published SDK with only its URLs changed.

/** The time of the SDK tests. */
export const now = NOW

/** Freezes the clock of the process for the calling file, because the SDK has no clock option. */
export function freezeDate(): void {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
  afterAll(() => void vi.useRealTimers())
}

/** The date that many days earlier. */
export function ago(days: number): string {
  return new Date(now - days * DAY).toISOString()
}

const silent = () => {}

/** A silent logger. */
export const logger = { debug: silent, info: silent, warn: silent, error: silent }

/** The open clients in local mode. */
export const clients: DevCycleClient[] = []

// Each SDK listens for the end of the process.
process.setMaxListeners(200)

/** Closes every client that was started in local mode. */
export async function closeAll(): Promise<void> {
  for (const client of clients.splice(0)) {
    await client.close().catch(() => stopTimers(client))
  }
}

/**
 * Stops what a client that failed to start leaves running: its `close` fails before it stops the timers. A poll that
 * reaches a later server on the same port would otherwise end in an unhandled rejection in another test.
 */
function stopTimers(client: DevCycleClient): void {
  // Private members of the SDK: it offers no other way.
  const { configHelper, eventQueue, bucketingTracker } = client as unknown as SdkInternals
  configHelper?.cleanup()
  eventQueue.cleanup()
  clearInterval(bucketingTracker)
}

interface SdkInternals {
  readonly configHelper?: { cleanup(): void }
  readonly eventQueue: { cleanup(): void }
  readonly bucketingTracker?: NodeJS.Timeout
}

/** Starts the SDK in local mode: it downloads the config and evaluates in process. */
export async function local(of: TestServer, options: DevCycleOptions = {}): Promise<DevCycleClient> {
  const client = initializeDevCycle(keyOf('server'), {
    logger,
    configCDNURI: of.url,
    eventsAPIURI: of.url,
    configPollingIntervalMS: 1000,
    disableRealTimeUpdates: true,
    ...options,
    enableCloudBucketing: false
  })
  clients.push(client)
  await client.onClientInitialized()
  return client
}

/** Starts the SDK in cloud mode: each evaluation is a request. */
export function cloud(of: TestServer): DevCycleCloudClient {
  return initializeDevCycle(keyOf('server'), { logger, bucketingAPIURI: of.url, enableCloudBucketing: true })
}

/** Converts a set of variables: key → value. */
export function valuesOf(variables: object): Record<string, Json> {
  return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
}

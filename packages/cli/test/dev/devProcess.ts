import { addCleanup } from '@burgee/testing/cleanup'
import { expect, vi } from 'vitest'
import { start } from '../support/program.ts'

/** One feature that is on for all users in development, and off in production. */
export const FLAGS = `burgee: 1
project: shop
features:
  new-checkout:
    name: New checkout
    variables:
      new-checkout: { type: Boolean }
      steps: { type: Number }
    variations:
      "on": { name: "On", values: { new-checkout: true, steps: 2 } }
      "off": { name: "Off", values: { new-checkout: false, steps: 5 } }
    environments:
      development:
        status: "on"
        targets: [{ name: All users, for: everybody, serve: "on" }]
      production: { status: "off" }
`

/** A process of `burgee dev`. */
export interface DevProcess extends ReturnType<typeof start> {
  readonly url: string
  /** Waits until standard error has a text. */
  readonly noticed: (text: string | RegExp) => Promise<void>
  /** Returns the values of all variables for a user. */
  readonly values: (user?: string) => Promise<Readonly<Record<string, unknown>>>
}

/** Starts `burgee dev`, and returns it when it serves. */
export async function startDev(
  args: readonly string[],
  environment: Readonly<Record<string, string>>
): Promise<DevProcess> {
  const running = start(['dev', ...args, '--port', '0', '--output', 'table'], environment)
  running.hangUp()
  let hasEnded = false
  void running.ended.then(() => {
    hasEnded = true
  })
  await vi.waitUntil(() => hasEnded || running.stdout().includes('\n'), { timeout: 30_000, interval: 10 })
  expect(hasEnded, running.stderr()).toBe(false)
  const [url = ''] = /http:\S+/.exec(running.stdout()) ?? []
  return {
    ...running,
    url,
    noticed: async (text) => {
      await expect.poll(running.stderr, { interval: 10 }).toMatch(text)
    },
    values: async (user = 'ada') => valuesAt(url, user)
  }
}

async function valuesAt(url: string, user: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/v1/variables`, {
    method: 'POST',
    headers: { authorization: 'dvc_server_any', 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: user })
  })
  const variables = (await response.json()) as Readonly<Record<string, { readonly value: unknown }>>
  expect(response.status).toBe(200)
  return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
}

/** Opens the stream of changes, and returns what it has received. */
export async function openStream(url: string, key = 'client-any'): Promise<() => string> {
  const controller = new AbortController()
  addCleanup(() => controller.abort())
  const response = await fetch(`${url}/event-stream?sdkKey=${key}`, { signal: controller.signal })
  expect(response.status).toBe(200)
  let received = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) received += decoder.decode(piece, { stream: true })
  }
  read().catch(() => {})
  return () => received
}

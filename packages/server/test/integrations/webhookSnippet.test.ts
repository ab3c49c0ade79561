import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { call, serve } from '@burgee/testing/harness'
import { freePort } from '@burgee/testing/system/freePort'
import { afterAll, expect, test } from 'vitest'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'

const root = new URL('../../../../', import.meta.url)
const ends: (() => unknown)[] = []

afterAll(() => {
  for (const end of ends) end()
})

/** Runs the receiver of docs/guides/webhooks.md on this port, and returns its output. */
async function runSnippet(port: number, secret: string): Promise<{ readonly printed: () => string }> {
  const page = await readFile(new URL('docs/guides/webhooks.md', root), 'utf8')
  const [, snippet = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  expect(snippet).toContain('listen(3000')
  expect(snippet.trim().split('\n').length).toBeLessThanOrEqual(15)
  const child = spawn(process.execPath, ['--input-type=module', '-e', snippet.replace('3000', String(port))], {
    cwd: fileURLToPath(root),
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  ends.push(() => child.kill())
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  return { printed: () => text }
}

test('the receiver in the documentation accepts signed messages only', async () => {
  // Its library compares the timestamp with the system clock.
  const allowed = { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [] }
  const server = await serve({ features: [{ key: 'checkout' }] }, allowed, Date.now())
  const port = await freePort()
  const body = { name: 'Snippet', url: `http://127.0.0.1:${port}/`, events: ['modifiedFeature'] }
  const params = { project: 'shop' }
  const { body: webhook } = await call(server, 'createWebhook', { params, body })
  const { body: secret } = await call(server, 'getWebhookSecret', { params: { ...params, id: webhook._id } })
  const { printed } = await runSnippet(port, secret.secret)
  const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => undefined)
  await expect.poll(async () => (await post())?.status).toBe(400)
  const change = { params: { ...params, feature: 'checkout' }, body: { name: 'New' } }
  expect((await call(server, 'updateFeature', change)).status).toBe(200)
  await expect.poll(printed).toMatch(/^[0-9a-f]{24}: modifiedFeature of checkout\n$/)
})

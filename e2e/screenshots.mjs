import { mkdirSync, writeFileSync } from 'node:fs'
import UPNG from 'upng-js'
import { fillShop } from './dashboard/shop.mjs'
import { dashboard, startDashboard, stopDashboard, urlOf, visit } from './dashboard/support.mjs'

// Writes the pictures of the documentation: npm run screenshots.

const directory = new URL('../docs/images/dashboard/', import.meta.url)

/** Colours of a picture, and the size that none may exceed. */
const COLORS = 256
const MAX_BYTES = 120 * 1024

const click = (role, name) => (page) => page.getByRole(role, { name }).first().click()
const dialog = (page) => page.getByRole('dialog').getByRole('button').last().waitFor()

/** The pictures: the name of the file, the address, and what to do before. */
const pictures = [
  ['features', 'features'],
  ['home', ''],
  ['overview', 'features/new-checkout/overview'],
  [
    'targeting',
    'features/gift-wrapping/manage-feature?env=production',
    async (page) => {
      await page.getByText('Include', { exact: true }).waitFor()
    }
  ],
  [
    'affected-users',
    'features/new-checkout/manage-feature?env=production',
    async (page) => {
      await page.getByRole('switch').first().click()
      await page
        .getByText(/of \d+ recent users/)
        .first()
        .waitFor()
    }
  ],
  [
    'protected',
    'features/express-delivery/overview',
    async (page) => {
      await click('switch', 'On in Production')(page)
      await dialog(page)
      await page
        .getByText(/of \d+ recent users/)
        .first()
        .waitFor()
    }
  ],
  [
    'kill',
    'features/new-checkout/overview',
    async (page) => {
      await click('button', /^Kill/)(page)
      await dialog(page)
    }
  ],
  ['variations', 'features/pricing-experiment/variations'],
  ['compare', 'features/gift-wrapping/compare'],
  ['history', 'audit-log'],
  ['request', '/o/{org}/p/payments/features/instant-payouts/change-requests/{request}'],
  [
    'explain',
    'explain?env=production',
    async (page) => {
      await page.getByLabel('User ID').fill('customer-1007')
      await page.getByLabel('Country').fill('CA')
      await click('button', /^Explain$/)(page)
      const row = page.getByRole('button', { name: /New checkout/ }).first()
      await row.click()
      await page.mouse.move(0, 0)
    }
  ],
  ['results', 'features/checkout-button/analytics?env=production'],
  ['audience', 'audiences/beta-testers'],
  ['stale', 'stale'],
  ['analytics', 'analytics?period=day']
]

await startDashboard()
try {
  mkdirSync(directory, { recursive: true })
  const request = await prepare()
  for (const [name, address, act] of pictures) {
    await take(name, address.replace('{request}', request), act, 'light')
  }
  await take('features-dark', 'features', undefined, 'dark')
} finally {
  await stopDashboard()
}

/** Fills the shop as the signed-in person, and returns the change request that waits. */
async function prepare() {
  const { browser, storageState, server } = dashboard
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  await visit(page, 'features')
  const send = (...request) =>
    page.evaluate(async ([method, path, body]) => {
      const headers = { 'burgee-dashboard': '1', 'content-type': 'application/json' }
      const options = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      const response = await fetch(`/session/api${path}`, options)
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    }, request)
  await fillShop(server.url, send)
  const [waiting] = await send('GET', '/v2/projects/payments/change-requests')
  await context.close()
  return waiting._id
}

/** Takes one picture in a window of its own and writes it with a palette. */
async function take(name, address, act, colorScheme) {
  const { browser, storageState } = dashboard
  const viewport = { width: 1280, height: 800 }
  const context = await browser.newContext({ storageState, viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await visit(page, address)
  await act?.(page)
  await page.waitForLoadState('networkidle')
  const image = UPNG.decode(await page.screenshot({ animations: 'disabled' }))
  const bytes = Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, COLORS))
  if (bytes.length > MAX_BYTES)
    throw new Error(`${name}.png has ${bytes.length} bytes; at most ${MAX_BYTES} are allowed`)
  writeFileSync(new URL(`${name}.png`, directory), bytes)
  console.log(`${name}.png ${Math.round(bytes.length / 1024)} KiB of ${urlOf(address)}`)
  await context.close()
}

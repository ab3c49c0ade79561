import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startSite } from '../examples/browser/site.mjs'
import { assertReadable, picture, watch } from './page.mjs'
import { eventually, launch, reasonToSkip, startServer } from './support.mjs'

const skip = reasonToSkip()

let browser
let server
let clientKey

before(async () => {
  if (skip) return
  browser = await launch()
  server = await startServer({ BURGEE_DEMO: '1' })
  const { sdkKeys } = await server.send('GET', '/v1/projects/demo/environments/production')
  clientKey = sdkKeys.client[0].key
})

after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Changes the configuration of a demo feature in production. */
function configure(feature, body) {
  return server.send('PATCH', `/v1/projects/demo/features/${feature}/configurations?environment=production`, body)
}

/** Serves one price to all users. */
function price(variation) {
  const audience = { filters: { operator: 'and', filters: [{ type: 'all' }] } }
  return configure('pricing-experiment', {
    targets: [{ audience, distribution: [{ _variation: variation, percentage: 1 }] }]
  })
}

/** Opens the page in a separate window, and marks the window: a reload would lose the mark. */
async function openPage(t, { site: settings = {}, window: options = {} } = {}) {
  const site = await startSite({ burgeeUrl: server.url, clientKey, ...settings })
  const context = await browser.newContext(options)
  t.after(async () => {
    await context.close()
    await site.stop()
  })
  const page = await context.newPage()
  const notes = watch(page)
  await page.goto(site.url)
  await page.evaluate(() => {
    window.mark = 'still the same window'
  })
  return {
    page,
    notes,
    /** Waits until an element has this text. */
    says: (id, expected) =>
      eventually(async () => {
        const text = await page.locator(id).textContent()
        assert.ok(text.includes(expected), `${id} says "${text}", not "${expected}"`)
      }),
    assertNotReloaded: async () => {
      assert.equal(await page.evaluate(() => window.mark), 'still the same window')
      assert.equal(notes.requests.filter((url) => url === `${site.url}/`).length, 1)
    }
  }
}

test('a page shows a management change without a reload or polling', { skip }, async (t) => {
  await price('control')
  const { page, notes, says, assertNotReloaded } = await openPage(t)
  await says('#state', 'Live')
  await says('#price', '40.00')
  await page.locator('#banner').waitFor({ state: 'hidden' })
  await picture(page, 'example-1-first')

  // Another user opens the page.
  await page.getByLabel('Country').selectOption('CA')
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.locator('#banner').waitFor({ state: 'visible' })

  await price('twenty-percent')
  await says('#price', '32.00')
  await says('#label', 'Special offer')
  await says('#changes', '1')
  await says('#changed', 'discount-percent, price-label')
  await picture(page, 'example-2-changed')

  await configure('new-checkout', { status: 'inactive' })
  await page.locator('#banner').waitFor({ state: 'hidden' })
  await configure('new-checkout', { status: 'active' })
  await page.locator('#banner').waitFor({ state: 'visible' })
  await assertNotReloaded()

  // Without changes, there are no requests.
  const before = notes.requests.length
  await setTimeout(3_000)
  assert.equal(notes.requests.length, before)
  assert.deepEqual(notes.consoleErrors, [])
})

test('a page keeps working while the server is down, and receives updates again when it is back', {
  skip
}, async (t) => {
  await price('control')
  const { page, notes, says, assertNotReloaded } = await openPage(t)
  await says('#state', 'Live')
  await eventually(() =>
    assert.ok(
      notes.requests.some((url) => url.includes('/event-stream')),
      'there is no stream'
    )
  )

  await server.halt()
  await says('#state', 'is lost')
  await says('#price', '40.00')
  await picture(page, 'example-3-away')

  await server.resume()
  await price('ten-percent')
  await says('#price', '36.00')
  await says('#state', 'Live')
  await assertNotReloaded()
})

test('a page that is reopened while the server is down starts with its cached values', { skip }, async (t) => {
  await price('ten-percent')
  const { page, says } = await openPage(t)
  await says('#price', '36.00')
  await server.halt()
  await page.reload()
  await says('#price', '36.00')
  await says('#state', 'is lost')
  await server.resume()
  await price('twenty-percent')
  await says('#price', '32.00')
  await says('#state', 'Live')
})

test('a page reports that its key is refused', { skip }, async (t) => {
  const { page, says } = await openPage(t, { site: { clientKey: 'client-nobody-made-this' } })
  await says('#state', 'refuses the client key')
  await says('#price', '40.00')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'hidden' })
  await picture(page, 'example-4-refused')
})

test('a page reports that its key was invalidated, and keeps its last values', { skip }, async (t) => {
  await price('ten-percent')
  const keys = '/v1/projects/demo/environments/production/sdk-keys'
  const { sdkKeys } = await server.post(keys, { client: true })
  const { key } = sdkKeys.client.at(-1)
  const { says } = await openPage(t, { site: { clientKey: key } })
  await says('#state', 'Live')
  await server.send('DELETE', `${keys}/${key}`)
  await says('#state', 'refuses the client key')
  await says('#price', '€ 36.00')
})

test('a page that cannot reach the server can retry', { skip }, async (t) => {
  await price('ten-percent')
  await server.halt()
  const { page, says } = await openPage(t)
  await says('#state', 'cannot be reached')
  await says('#price', '40.00')
  await picture(page, 'example-5-no-server')
  await server.resume()
  await page.getByRole('button', { name: 'Try again' }).click()
  await says('#state', 'Live')
  await says('#price', '36.00')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'hidden' })
})

test('the page is readable at 320 pixels, in light and in dark', { skip }, async (t) => {
  const { page, says } = await openPage(t, { window: { viewport: { width: 320, height: 800 } } })
  await says('#state', 'Live')
  await page.getByLabel('Country').selectOption('CA')
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.locator('#banner').waitFor({ state: 'visible' })
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await assertReadable(page, `the example in ${colorScheme}`)
    await picture(page, `example-6-${colorScheme}`)
  }
})

test('the published client SDK follows changes in a browser', { skip }, async (t) => {
  await price('control')
  const before = await eventsTaken()
  const { notes, says, assertNotReloaded } = await openPage(t, {
    site: { folder: new URL('sdk/', import.meta.url) }
  })
  await says('#state', 'initialized')
  await says('#label', 'Price')
  await eventually(async () => assert.ok((await eventsTaken()) > before, 'its event did not arrive'))
  await price('twenty-percent')
  await says('#label', 'Special offer')
  await price('ten-percent')
  await says('#label', 'Your price')
  await assertNotReloaded()
  assert.deepEqual(notes.consoleErrors, [])
})

/** The number of events that the server accepted. */
async function eventsTaken() {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^burgee_events_total (\d+)$/m.exec(metrics)[1])
}

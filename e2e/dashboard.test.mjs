import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { picture, watch } from './page.mjs'
import { launch, reasonToSkip, startServer } from './support.mjs'

const skip = reasonToSkip()
const axe = readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** The pages, by the names of their pictures. `{org}` is the id of the organization. */
const pages = [
  ['projects', '/o/{org}/settings/projects'],
  ['features', '/o/{org}/p/demo/features'],
  ['overview', '/o/{org}/p/demo/features/new-checkout/overview'],
  ['targeting', '/o/{org}/p/demo/features/new-checkout/manage-feature?env=production'],
  ['results', '/o/{org}/p/demo/features/checkout-button/analytics?env=production'],
  ['metrics', '/o/{org}/p/demo/metrics'],
  ['metric', '/o/{org}/p/demo/metrics/purchases'],
  ['environments', '/o/{org}/p/demo/environments'],
  ['webhooks', '/o/{org}/p/demo/webhooks']
]

/** The windows that each page is looked at in. */
const looks = [
  ['light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true }]
]

let browser
let server
let storageState
let org

before(async () => {
  if (skip) return
  browser = await launch()
  server = await startServer({ BURGEE_DEMO: '1' })
})

after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens a window with the session of the first person, and records what goes wrong in it. */
async function openWindow(t, options = {}) {
  const context = await browser.newContext({ storageState, ...options })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return { context, page, notes: watch(page) }
}

/** Expects that nothing was reported and that nothing went elsewhere. */
function assertQuiet({ complaints, requests }) {
  assert.deepEqual(complaints, [])
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:')),
    []
  )
}

/** Waits until a page shows its data. */
async function settle(page) {
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'))
}

/** Expects no violation of WCAG 2.0 to 2.2, levels A and AA, that axe can find. */
async function assertAccessible(page, name) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  )
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  assert.deepEqual(found, [], name)
}

test('the link of the demo signs in once', { skip }, async (t) => {
  const { context, page, notes } = await openWindow(t)
  await page.goto(server.signInLink)
  await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor()
  await picture(page, 'dashboard-first')
  assertQuiet(notes)
  storageState = await context.storageState()
  org = new URL(page.url()).pathname.split('/')[2]

  const other = await browser.newContext()
  t.after(() => other.close())
  const again = await (await other.newPage()).goto(server.signInLink)
  assert.ok(again.status() >= 400, `the second use answered ${again.status()}`)
})

for (const [look, options] of looks) {
  test(`every page, ${look}`, { skip }, async (t) => {
    const { page, notes } = await openWindow(t, options)
    for (const [name, address] of pages) {
      await page.goto(server.url + address.replace('{org}', org))
      await settle(page)
      await picture(page, `dashboard-${name}-${look}`)
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      assert.equal(isTooWide, false, `${name} is wider than the window`)
      await assertAccessible(page, `${name}, ${look}`)
    }
    assertQuiet(notes)
  })
}

test('the page says when the server is away, and heals', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await page.goto(`${server.url}/o/${org}/settings/projects`)
  await settle(page)
  await server.halt()
  await page.getByRole('link', { name: 'Demo shop' }).click()
  await page.getByText('Not connected since').waitFor()
  await picture(page, 'dashboard-away')
  await server.resume()
  await page.getByText('Connected again.').waitFor({ timeout: 30_000 })
})

test('without a session the page goes to the sign-in page', { skip }, async (t) => {
  const context = await browser.newContext()
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(`${server.url}/o/${org}/p/demo/features`)
  await page.getByRole('button', { name: /sign in|continue/i }).waitFor()
})

test('signing out ends the session', { skip }, async (t) => {
  const { context, page } = await openWindow(t)
  await page.goto(`${server.url}/o/${org}/settings/projects`)
  await settle(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: /sign in|continue/i }).waitFor()
  const cookies = await context.cookies()
  assert.equal(
    cookies.some(({ name }) => name.endsWith('burgee-dashboard')),
    false
  )
})

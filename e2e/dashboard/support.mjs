import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { assertAccessible, picture, watch } from '../page.mjs'
import { launch, reasonToSkip, startServer } from '../support.mjs'

/** Why the tests cannot run; `false` when they can. */
export const skip = reasonToSkip()

/** The server with the demo project, the browser, and a session of the demo's administrator, for the tests of a file. */
export const dashboard = {
  browser: undefined,
  server: undefined,
  org: undefined,
  storageState: undefined
}

/** Starts the server and the browser, and signs in. */
export async function startDashboard(settings = {}) {
  dashboard.browser = await launch()
  dashboard.server = await startServer({ BURGEE_DEMO: '1', ...settings })
  const context = await dashboard.browser.newContext()
  const page = await context.newPage()
  await page.goto(dashboard.server.signInLink)
  await settle(page)
  dashboard.org = new URL(page.url()).pathname.split('/')[2]
  dashboard.storageState = await context.storageState()
  await context.close()
}

/** Stops the browser and the server. */
export async function stopDashboard() {
  await dashboard.browser?.close()
  await dashboard.server?.stop()
}

/**
 * Starts the server and the browser before the tests of a file, and stops both afterwards. `prepare` adds to the projects of
 * the server.
 */
export function useDashboard({ settings = {}, prepare = async () => undefined } = {}) {
  before(async () => {
    if (skip) return
    await startDashboard(settings)
    await prepare(dashboard.server)
  })
  after(stopDashboard)
}

/** The URL of a page: `{org}` is the organization; what does not begin with a slash is below the demo project. */
export function urlOf(address) {
  const path = address.startsWith('/') ? address : `/o/{org}/p/demo/${address}`
  return dashboard.server.url + path.replace('{org}', dashboard.org)
}

/** Opens a page and waits until it shows its data. */
export async function visit(page, address) {
  await page.goto(urlOf(address))
  await settle(page)
}

/** Waits until a page shows its data. */
export async function settle(page) {
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'))
}

/**
 * Opens a window with the session of the administrator. At the end of the test, nothing may have been reported to the
 * console except what matches `expected`, no policy violated, and nothing requested from another server, except what matches `visits`.
 */
export async function openWindow(t, { expected, visits, ...options } = {}) {
  const { browser, storageState } = dashboard
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 }, ...options })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  context.setDefaultTimeout(60_000)
  const notes = []
  context.on('page', (page) => notes.push(watch(page)))
  t.after(async () => {
    await context.close()
    for (const { consoleErrors, requests } of notes) {
      assert.deepEqual(
        consoleErrors.filter((text) => !expected?.test(text)),
        []
      )
      assert.deepEqual(
        requests.filter((url) => isElsewhere(url) && !visits?.test(url)),
        []
      )
    }
  })
  return { context, page: await context.newPage() }
}

function isElsewhere(url) {
  return !url.startsWith(dashboard.server.url) && !url.startsWith('data:') && !url.startsWith('blob:')
}

/** The rules whose outcome depends on the colour scheme. */
const colorRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const isPhone = (page) => page.viewportSize().width < 768

/** Expects that a page fits its window and is accessible, and takes its picture: on computers in light and in dark. */
export async function assertSound(page, name) {
  for (const scheme of isPhone(page) ? ['light'] : ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme })
    await picture(page, `dashboard-${name}-${scheme}`)
    // What a sticky bar covers in part would count as a small target.
    await page.evaluate(() => scrollTo(0, 0))
    // The scheme changes colours only.
    await assertAccessible(page, `${name}, ${scheme}`, scheme === 'dark' ? colorRules : undefined)
  }
  await assertFits(page, name)
}

/** Expects that a page is not wider than its window. */
export async function assertFits(page, name) {
  // Charts follow the width of the window a frame later.
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  await page.waitForFunction(fits, undefined, { timeout: 20_000 }).catch(() => undefined)
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(excess <= 0, `${name} is ${excess} pixels wider than the window`)
}

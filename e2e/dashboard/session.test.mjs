import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../page.mjs'
import { openPalette } from './pages.mjs'
import { dashboard, openWindow, skip, urlOf, useDashboard, visit } from './support.mjs'

useDashboard()

/** What the console says of the first answer without a session. */
const expected = /getSession answered 401/

const signInButton = (page) => page.getByRole('button', { name: /sign in|continue/i })

test('the link of the demo signs in once', { skip }, async (t) => {
  const { page } = await openWindow(t, { storageState: undefined })
  const response = await page.goto(dashboard.server.signInLink)
  assert.ok(response.status() >= 400, `the second use answered ${response.status()}`)
})

test('without a session the page goes to the sign-in page', { skip }, async (t) => {
  const { page } = await openWindow(t, { storageState: undefined, expected })
  await page.goto(urlOf('features'))
  await signInButton(page).waitFor()
})

test('an address with another organization, or none, redirects to that of the person', { skip }, async (t) => {
  const { page } = await openWindow(t)
  for (const org of ['', 'another']) {
    await visit(page, `/o/${org}/p/demo/features?q=chat`)
    await page.waitForURL(`${dashboard.server.url}/o/${dashboard.org}/p/demo/features?q=chat`)
    await page.locator('nav a[aria-current]').getByText('Features').first().waitFor()
  }
})

test('the palette opens a feature by its name, and a page by keyboard', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features')
  const openPlace = async (name, keys) => {
    await openPalette(page)
    await page.getByRole('combobox', { name: 'Page or feature' }).fill(name)
    await page
      .getByRole('option', { name: new RegExp(name, 'i') })
      .first()
      .waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('row', { name: 'Gift wrapping' }).waitFor()
  await openPlace('gift', ['Enter'])
  await page.waitForURL(/\/features\/gift-wrapping\/overview/)
  await openPlace('e', ['ArrowDown', 'ArrowUp', 'Enter'])
  await page.waitForURL(/\/p\/demo(\?|$)/)
})

// The last one: the session is that of all tests here.
test('signing out ends the session', { skip }, async (t) => {
  const { context, page } = await openWindow(t, { expected })
  await visit(page, '/o/{org}/settings/projects')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await picture(page, 'dashboard-account-menu')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signInButton(page).waitFor()
  const cookies = await context.cookies()
  assert.equal(
    cookies.some(({ name }) => name.endsWith('burgee-dashboard')),
    false
  )
})

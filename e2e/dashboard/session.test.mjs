import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { openPalette } from './pages.mjs'
import { dashboard, openWindow, skip, urlOf, useDashboard, visit } from './support.mjs'

useDashboard()

const signInButton = (page) => page.getByRole('button', { name: /sign in|continue/i })

test('the link of the demo signs in once', { skip }, async (t) => {
  const { page } = await openWindow(t, { storageState: undefined })
  const response = await page.goto(dashboard.server.signInLink)
  assert.ok(response.status() >= 400, `the second use answered ${response.status()}`)
})

test('without a session the page goes to the sign-in page', { skip }, async (t) => {
  const { page } = await openWindow(t, { storageState: undefined })
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

test('a page sends no read twice: its stream of changes is requested with the session', { skip }, async (t) => {
  const { page } = await openWindow(t)
  const reads = []
  page.on('request', (request) => /\/session\/api\/.*(?<!changes)$/.test(request.url()) && reads.push(request.url()))
  let stream
  await page.route(/\/v1\/session$/, async (route) => {
    await stream
    await route.continue()
  })
  for (const address of ['features', 'features/new-checkout/overview']) {
    reads.length = 0
    stream = page.waitForResponse(/\/v1\/projects\/demo\/changes$/)
    await visit(page, address)
    await page.waitForLoadState('load')
    assert.ok(reads.length > 4, `${reads.length} requests`)
    assert.deepEqual(reads, [...new Set(reads)])
  }
})

test('pages read an SDK key when a person shows or copies it, and no page that only could', { skip }, async (t) => {
  const { page } = await openWindow(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  const shown = async () => {
    const entries = await dashboard.server.send('GET', '/v1/organizations/current/access-log?kind=secretShown')
    return entries.filter(({ actor }) => actor === 'person').length
  }
  const before = await shown()
  for (const address of ['environments', 'start', 'features', 'features/new-checkout/overview']) {
    await visit(page, address)
    await page.waitForLoadState('load')
  }
  assert.equal(await shown(), before)
  const [{ key }] = (await dashboard.server.send('GET', '/v1/projects/demo/environments/production')).sdkKeys.server
  await page.getByRole('button', { name: 'Copy: Shell' }).click()
  await eventually(async () => {
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(key))
  })
  assert.equal(await page.getByText(key).count(), 0)
  await page.getByRole('button', { name: 'Show the server key' }).click()
  await page.getByText(key).waitFor()
  await page.getByRole('button', { name: 'Show the server key', pressed: true }).click()
  await page.getByText(key).waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await shown(), before + 1))
})

test('a snippet shows the new key as soon as the shown one is revoked', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features/new-checkout/overview')
  const keys = '/v1/projects/demo/environments/production/sdk-keys'
  const added = await dashboard.server.post(keys, { server: true })
  const revoked = added.sdkKeys.server.at(-1).key
  await page.getByRole('button', { name: 'Show the server key' }).click()
  await page.getByText(revoked).first().waitFor()
  await dashboard.server.send('DELETE', `${keys}/${revoked}`)
  await page.getByText(revoked).first().waitFor({ state: 'detached' })
  await page.getByText(added.sdkKeys.server[0].key).first().waitFor()
})

test('texts are copied without the clipboard API, and what cannot be copied says how', { skip }, async (t) => {
  const { context, page } = await openWindow(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  const reader = await context.newPage()
  await reader.goto(urlOf('features'))
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await visit(page, 'features/new-checkout/overview')
  const [{ key }] = (await dashboard.server.send('GET', '/v1/projects/demo/environments/production')).sdkKeys.server
  const copies = async (name, text) => {
    await page.bringToFront()
    await page.getByRole('button', { name }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
    await reader.bringToFront()
    assert.match(await reader.evaluate(() => navigator.clipboard.readText()), new RegExp(text))
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'detached' })
  }
  await copies('Copy the key', '^new-checkout$')
  await copies('Copy: Shell', key)
  await page.bringToFront()
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('Your browser does not allow copying. Select the text and press Ctrl or ⌘ + C.').waitFor()
})

test('a shortcut works as soon as the page is there, although other code still loads', { skip }, async (t) => {
  const { page } = await openWindow(t)
  let release
  const isReleased = new Promise((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/ShortcutKeys-.*\.js$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto(urlOf('features'))
  await page.locator('main h1').waitFor()
  await page.keyboard.press('?')
  release()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ timeout: 10_000 })
})

test('the palette opens a feature by its name, and a page by keyboard', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features')
  const openPlace = async (name, keys) => {
    await openPalette(page)
    // A second press must not capture the keys that follow.
    await page.keyboard.press('ControlOrMeta+k')
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

test('what is typed while the palette loads is for the palette, not for the page', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features')
  await page.getByRole('row', { name: 'Gift wrapping' }).waitFor()
  let release
  const isReleased = new Promise((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/GoToDialog-.*\.js$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.getByRole('searchbox').first().focus()
  for (const key of ['Control+k', 'g', 'i', 'f', 't', 'x', 'Backspace']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('searchbox').first().inputValue(), '')
  await page.keyboard.press('Escape')
  // Escape cancels: the keys are those of the page again.
  await page.keyboard.press('q')
  assert.equal(await page.getByRole('searchbox').first().inputValue(), 'q')
  await page.keyboard.press('Backspace')
  await page.locator('main h1').click()
  for (const key of ['Control+k', 'g', 'i', 'f', 't']) await page.keyboard.press(key)
  release()
  const field = page.getByRole('combobox', { name: 'Page or feature' })
  await field.waitFor()
  await page.getByRole('option', { name: 'Gift wrapping' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/features\/gift-wrapping\/overview/)
})

// The last one: the session is that of all tests here.
test('signing out ends the session', { skip }, async (t) => {
  const { context, page } = await openWindow(t)
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../page.mjs'
import { computer, looks, openPalette, pages, states } from './pages.mjs'
import { fillShop } from './shop.mjs'
import { assertAccessible, colorRules, dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'

let request

useDashboard({
  prepare: async ({ url, send }) => {
    await fillShop(url, send)
    const [waiting] = await send('GET', '/v2/projects/payments/change-requests')
    request = waiting._id
  }
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
    for (const key of keys) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('row', { name: 'Gift wrapping' }).waitFor()
  await openPlace('gift', ['Enter'])
  await page.waitForURL(/\/features\/gift-wrapping\/overview/)
  await openPlace('e', ['ArrowDown', 'ArrowUp', 'Enter'])
  await page.waitForURL(/\/p\/demo(\?|$)/)
})

test('every page fits the window and is accessible', { skip }, async (t) => {
  const { context, page } = await openWindow(t)
  const resize = await useResize(context, page)
  for (const [name, address] of pages) {
    await t.test(name, async () => {
      await resize(computer)
      await visit(page, address.replace('{request}', request))
      // One load serves both windows: the layout is a matter of style sheets.
      for (const [look, options] of looks) {
        await resize(options)
        await assertSound(page, `${name}-${look}`)
      }
      // Pages on phones also fit the narrowest window of WCAG 1.4.10.
      await page.setViewportSize({ width: 320, height: 640 })
      await assertFits(page, name)
    })
  }
})

for (const [look, options] of looks) {
  test(`menus, dialogs and drafts fit the window and are accessible, ${look}`, { skip }, async (t) => {
    const { page } = await openWindow(t, options)
    for (const [name, address, act, shown] of states) {
      await visit(page, address)
      await act(page)
      await shown(page)
      await assertSound(page, `${name}-${look}`)
    }
  })
}

/** Returns a function that makes a window that of a computer or of a phone, while its page stays. */
async function useResize(context, page) {
  const session = await context.newCDPSession(page)
  return async ({ viewport, hasTouch = false }) => {
    await page.setViewportSize(viewport)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch })
    await page.waitForFunction((expected) => matchMedia('(pointer: coarse)').matches === expected, hasTouch)
  }
}

const isPhone = (page) => page.viewportSize().width < 768

/** Expects that a page fits its window and is accessible, and takes its picture: on computers in light and in dark. */
async function assertSound(page, name) {
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

async function assertFits(page, name) {
  // Charts follow the width of the window a frame later.
  const fits = () => document.documentElement.scrollWidth <= innerWidth
  await page.waitForFunction(fits, undefined, { timeout: 20_000 }).catch(() => undefined)
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(excess <= 0, `${name} is ${excess} pixels wider than the window`)
}

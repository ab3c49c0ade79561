import { test } from 'node:test'
import { computer, looks, pages } from './pages.mjs'
import { fillShop } from './shop.mjs'
import { assertFits, assertSound, openWindow, skip, useDashboard, visit } from './support.mjs'

let request

useDashboard({
  prepare: async ({ url, send }) => {
    await fillShop(url, send)
    const [waiting] = await send('GET', '/v2/projects/payments/change-requests')
    request = waiting._id
    // More than the box of a value shows without scrolling.
    const rows = Array.from({ length: 60 }, (_, index) => ({ name: `Row ${index}`, columns: 1 + (index % 4) }))
    await send('PATCH', '/v1/projects/demo/features/shop-layout/variations/wide', {
      variables: { 'shop-layout': { columns: 3, rows } }
    })
  }
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

/** Returns a function that makes a window that of a computer or of a phone, while its page stays. */
async function useResize(context, page) {
  const session = await context.newCDPSession(page)
  return async ({ viewport, hasTouch = false }) => {
    await page.setViewportSize(viewport)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch })
    await page.waitForFunction((expected) => matchMedia('(pointer: coarse)').matches === expected, hasTouch)
  }
}

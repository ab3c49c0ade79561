import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../page.mjs'
import { looks, pages } from './pages.mjs'
import { assertAccessible, openWindow, skip, useDashboard, visit } from './support.mjs'

useDashboard()

for (const [look, options] of looks) {
  test(`every page fits the window and is accessible, ${look}`, { skip }, async (t) => {
    const { page } = await openWindow(t, options)
    for (const [name, address] of pages) {
      await visit(page, address)
      await picture(page, `dashboard-${name}-${look}`)
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      assert.equal(isTooWide, false, `${name} is wider than the window`)
      await assertAccessible(page, `${name}, ${look}`)
    }
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looks, states } from './pages.mjs'
import { fillShop } from './shop.mjs'
import { assertFits, assertSound, dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'

useDashboard({
  prepare: async ({ url, send }) => {
    await fillShop(url, send)
    // Two entries of the history are about the same environment.
    for (const status of ['active', 'inactive']) {
      await send('PATCH', '/v1/projects/demo/features/search-suggestions/configurations?environment=staging', {
        status
      })
    }
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

test('four environments fit the list and the overview of each width', { skip }, async (t) => {
  const environments = '/v1/projects/demo/environments'
  await dashboard.server.post(environments, { key: 'qa', name: 'QA', type: 'staging' })
  t.after(() => dashboard.server.send('DELETE', `${environments}/qa`))
  const { page } = await openWindow(t)
  const cutStatuses = () =>
    [...document.querySelectorAll('tbody td a > span')]
      .filter(({ offsetParent }) => offsetParent !== null)
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
        return scrollWidth > clientWidth || scrollHeight > clientHeight
      })
      .map(({ textContent }) => textContent)
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await visit(page, 'features')
    await assertFits(page, `the list, ${width} pixels wide`)
    assert.deepEqual(await page.evaluate(cutStatuses), [], `statuses at ${width} pixels`)
    const [table, menu] = await Promise.all([
      page.getByRole('table', { name: 'Features' }).boundingBox(),
      page.getByRole('button', { name: 'Actions for Gift wrapping' }).boundingBox()
    ])
    assert.ok(menu.x + menu.width <= table.x + table.width, `the menu of a row at ${width} pixels`)
    await visit(page, 'features/gift-wrapping/overview')
    for (const sentence of await page.getByText('Off: applications use their default values.').all()) {
      assert.ok((await sentence.boundingBox()).width >= 200, `a sentence of the overview at ${width} pixels`)
    }
  }
})

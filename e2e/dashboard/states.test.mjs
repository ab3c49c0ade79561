import { test } from 'node:test'
import { looks, states } from './pages.mjs'
import { fillShop } from './shop.mjs'
import { assertSound, openWindow, skip, useDashboard, visit } from './support.mjs'

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

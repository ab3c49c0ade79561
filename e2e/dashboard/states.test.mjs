import { test } from 'node:test'
import { looks, states } from './pages.mjs'
import { fillShop } from './shop.mjs'
import { assertSound, openWindow, skip, useDashboard, visit } from './support.mjs'

useDashboard({ prepare: ({ url, send }) => fillShop(url, send) })

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

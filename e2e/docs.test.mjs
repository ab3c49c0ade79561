import { after, before, test } from 'node:test'
import { assertReadable, picture } from './page.mjs'
import { launch, reasonToSkip, startServer } from './support.mjs'

const skip = reasonToSkip()

const pages = [
  ['index', '/docs'],
  ['heading', '/docs/features'],
  ['schemas', '/docs/schemas'],
  ['schema', '/docs/schemas/Feature'],
  ['search', '/docs?q=rollout'],
  ['no-results', '/docs?q=nothing-is-called-like-this'],
  ['guides', '/docs/README.md'],
  ['guide', '/docs/guides/dashboard.md'],
  ['settings', '/docs/reference/settings.md'],
  ['missing', '/docs/there-is-no-such-page']
]

let browser
let server

before(async () => {
  if (skip) return
  browser = await launch()
  server = await startServer()
})

after(async () => {
  await browser?.close()
  await server?.stop()
})

for (const [look, viewport] of [
  ['computer', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }]
]) {
  test(`the pages of the reference fit the window and are accessible, ${look}`, { skip }, async (t) => {
    const context = await browser.newContext({ viewport })
    t.after(() => context.close())
    const page = await context.newPage()
    for (const [name, address] of pages) {
      await page.goto(server.url + address)
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        await picture(page, `docs-${name}-${look}-${colorScheme}`)
        await assertReadable(page, `${name}, ${look}, ${colorScheme}`)
      }
    }
  })
}

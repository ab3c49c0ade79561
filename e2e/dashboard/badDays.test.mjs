import { test } from 'node:test'
import { picture } from '../page.mjs'
import { dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'

useDashboard()

test('the page says when the server is away, and heals', { skip }, async (t) => {
  const { page } = await openWindow(t, { expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/ })
  await visit(page, '/o/{org}/settings/projects')
  await dashboard.server.halt()
  await page.getByRole('link', { name: 'Demo shop' }).click()
  await page.getByText('Not connected since').waitFor()
  await picture(page, 'dashboard-away')
  await dashboard.server.resume()
  await page.getByText('Connected again.').waitFor({ timeout: 30_000 })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWindow, skip, useDashboard, visit } from '../dashboard/support.mjs'
import { assertAccessible } from '../page.mjs'
import { fillHeavy, KEY, NAME } from './project.mjs'

// A project at the limits of the API on every page: npm run test:heavy. It takes minutes, and is not part of npm test.

useDashboard({ prepare: fillHeavy })

/** The longest time that a page may be busy without a pause, in milliseconds, on a slow machine. Goals are in bench. */
const LONGEST_TASK = 15_000

const feature = `features/${KEY}`
const pages = [
  '',
  'start',
  'features',
  'features?is=partly',
  'features/new',
  `${feature}/overview`,
  `${feature}/manage-feature?env=production`,
  `${feature}/variations`,
  `${feature}/analytics?env=production`,
  `${feature}/audit-log`,
  `${feature}/compare`,
  'change-requests',
  'promote',
  'explain?env=production',
  'audiences',
  `audiences/${KEY}`,
  'variables',
  `variables/${KEY}`,
  'custom-properties',
  'metrics',
  `metrics/${KEY}`,
  'environments',
  'environments/production',
  'webhooks',
  'analytics',
  'stale',
  'audit-log',
  'settings',
  'settings/evaluation',
  'settings/approval',
  'settings/integrations'
].map((path) => `/o/{org}/p/${KEY}/${path}`)
const organizationPages = [
  'projects',
  'people',
  'roles',
  'clients',
  `profile-overrides?project=${KEY}`,
  'audit-log'
].map((path) => `/o/{org}/settings/${path}`)

for (const width of [1280, 390]) {
  test(`a project at the limits fits a window of ${width} pixels, and is accessible`, { skip }, async (t) => {
    const { context, page } = await openWindow(t, { viewport: { width, height: 900 } })
    context.setDefaultTimeout(120_000)
    await context.addInitScript(recordTasks)
    for (const address of [...pages, ...organizationPages]) {
      await visit(page, address)
      const { excess, longest } = await page.evaluate(() => ({
        excess: document.documentElement.scrollWidth - innerWidth,
        longest: window.longestTask
      }))
      assert.ok(excess <= 0, `${address} is ${excess} pixels wider than the window`)
      assert.ok(longest <= LONGEST_TASK, `${address} was busy for ${longest} ms`)
      await assertAccessible(page, address)
    }
  })
}

test('10,000 values in one condition are shown, extended and saved', { skip }, async (t) => {
  const { context, page } = await openWindow(t)
  context.setDefaultTimeout(120_000)
  await visit(page, `/o/{org}/p/${KEY}/${feature}/manage-feature?env=development`)
  await page.getByRole('button', { name: `1 ${NAME}` }).click()
  await page.getByText('and 9,979 more').waitFor()
  const input = page.getByRole('combobox', { name: /^Add to/ })
  await input.fill('one-more')
  await input.press('Enter')
  await page.getByText('and 9,980 more').waitFor()
  await page.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('button', { name: 'Save 1 change in Development' }).click()
  await page.getByText('Saved in Development').waitFor()
})

/** Runs in the page: keeps the length of the longest task. */
function recordTasks() {
  window.longestTask = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration)
  }).observe({ type: 'longtask', buffered: true })
}

import { availableParallelism, loadavg } from 'node:os'
import { dashboard, settle, startDashboard, stopDashboard, urlOf } from '../dashboard/support.mjs'

// Measures how fast the dashboard is with 1,000 features: npm run speed. Prints each figure with its limit.

const FEATURES = 1000
const VALUES = 10_000
const LOADS = 5
const list = '/o/{org}/p/speed/features'

await startDashboard()
try {
  console.log(`${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)} before`)
  const few = await loadTimes('features')
  add('interactive, without a cache, 12 features', 1000, few.interactive)
  await fill()
  const many = await loadTimes(list)
  add('list of 1,000 features shown, without a cache', 1200, many.shown)
  add('interactive, without a cache, 1,000 features', undefined, many.interactive)
  await inPage(list, scroll)
  await inPage(list, useList)
  await inPage('/o/{org}/p/speed/features/feature-0/manage-feature?env=development', pasteValues)
  console.log(`load ${loadavg()[0].toFixed(1)} after`)
} finally {
  await stopDashboard()
}

/** Prints a figure at once, so that a failure later loses none. */
function add(what, limit, value, unit = 'ms') {
  const figure = `${Math.round(value)} ${unit}`.padStart(9)
  const goal = limit === undefined ? '' : `limit ${limit} ${unit}${Math.round(value) > limit ? ', EXCEEDED' : ''}`
  console.log(`${figure}  ${what.padEnd(58)} ${goal}`)
}

async function fill() {
  const { send } = dashboard.server
  await send('POST', '/v1/projects', { key: 'speed', name: 'Speed' })
  const features = Array.from({ length: FEATURES }, (_, index) => ({
    key: `feature-${index}`,
    name: `Feature ${index}`,
    tags: [`team-${index % 20}`]
  }))
  while (features.length > 0) await send('POST', '/v1/projects/speed/features/multiple', features.splice(0, 100))
}

/** The median times of page loads until rows are there, and until the page has been quiet for a moment. */
async function loadTimes(address) {
  const times = []
  for (let load = 0; load < LOADS; load++) {
    await inPage(address, async (page) => {
      // No long task for half a second.
      await page.waitForFunction(() => performance.now() - Math.max(window.shownAt ?? Infinity, window.quietAt) > 500)
      times.push(
        await page.evaluate(() => ({ shown: window.shownAt, interactive: Math.max(window.shownAt, window.quietAt) }))
      )
    })
  }
  return { shown: median(times.map(({ shown }) => shown)), interactive: median(times.map((time) => time.interactive)) }
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
}

/** Does something in a window without a cache. */
async function inPage(address, act) {
  const { browser, storageState } = dashboard
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
  await context.addInitScript(record)
  const page = await context.newPage()
  await page.goto(urlOf(address))
  await settle(page)
  await act(page)
  await context.close()
}

/** Runs in the page: records when rows are shown, the end of the last long task, and how long interactions take. */
function record() {
  window.quietAt = 0
  window.interactions = new Map()
  new PerformanceObserver((entries) => {
    for (const { startTime, duration } of entries.getEntries()) window.quietAt = startTime + duration
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((entries) => {
    for (const { interactionId, duration } of entries.getEntries()) {
      if (interactionId > 0) {
        window.interactions.set(interactionId, Math.max(duration, window.interactions.get(interactionId) ?? 0))
      }
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  const look = () => {
    if (document.querySelector('main tbody a, main form')) window.shownAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function scroll(page) {
  await page.mouse.move(640, 500)
  await page.evaluate(() => {
    window.frames_ = []
    let last = performance.now()
    const frame = (now) => {
      window.frames_.push(now - last)
      last = now
      window.mostRows = Math.max(window.mostRows ?? 0, document.querySelectorAll('main tbody tr').length)
      if (!window.isScrolled) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const end = async () => page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1)
  while (!(await end())) await page.mouse.wheel(0, 600)
  const { frames, mostRows } = await page.evaluate(() => {
    window.isScrolled = true
    return { frames: window.frames_, mostRows: window.mostRows }
  })
  const sorted = frames.toSorted((one, other) => other - one)
  add(`longest frame of ${frames.length} while 1,000 rows scroll`, 50, sorted[0])
  add('the frame that 99 of 100 do not exceed', undefined, sorted[Math.floor(sorted.length / 100)])
  add('most rows in the document', 60, mostRows, 'rows')
}

async function useList(page) {
  const search = page.getByRole('searchbox', { name: 'Search features' })
  await search.pressSequentially('feature 99', { delay: 60 })
  await page.getByRole('row', { name: 'Feature 990' }).waitFor()
  await search.press('ControlOrMeta+a')
  await search.press('Delete')
  await page.getByRole('checkbox', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByLabel('Order').selectOption('name')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await report(page, 'interaction with 1,000 rows: type, select all, sort, menu')
}

async function pasteValues(page) {
  await page.getByRole('button', { name: 'Add target' }).first().click()
  await page
    .getByRole('combobox', { name: /^Property/ })
    .first()
    .selectOption({ label: 'user ID' })
  const input = page.getByRole('combobox', { name: /^Add to/ }).first()
  await input.click()
  await page.evaluate(() => window.interactions.clear())
  const text = Array.from({ length: VALUES }, (_, index) => `user-${index}`).join('\n')
  const took = await input.evaluate(async (element, pasted) => {
    const start = performance.now()
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - start
  }, text)
  await page.getByText(/and 9,9\d\d more/).waitFor()
  add('pasting 10,000 values', 100, took)
  await input.pressSequentially('one-more')
  await input.press('Enter')
  await report(page, 'typing into a condition with 10,000 values')
}

/** The longest interaction, from the event to the next frame. */
async function report(page, what) {
  await page.waitForTimeout(300)
  const times = await page.evaluate(() => [...window.interactions.values()])
  add(what, 100, Math.max(0, ...times))
}

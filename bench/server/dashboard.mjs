import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { median } from '../lib/median.mjs'
import { assertBuilt, caller, start } from '../lib/server.mjs'

const HELP = `Measures the dashboard in a browser, in a project with many features: how long it takes until the list is shown,
how smoothly it scrolls, and how long the page needs to respond. Build first: npm run build, at the root.

  npm run dashboard                        with 1,000 features, about a minute
  npm run dashboard -- --features 5000     with this number of features
  npm run dashboard -- --rounds 10         10 rounds instead of 5

CHROMIUM=/path/to/it names another browser than Debian's package.`

const { values: options } = parseOptions({
  options: {
    features: { type: 'number', default: 1000 },
    rounds: { type: 'number', default: 5 },
    help: { type: 'boolean' }
  }
})

/** The goals, in milliseconds. */
const GOALS = {
  'cold start until the page can be used': 1000,
  'cold start until the list is shown': 1200,
  'longest frame while the list scrolls': 50,
  'a letter in the search field': 100,
  'opening the menu of a row': 100,
  'opening a dialog, first time': 100,
  'opening a dialog, again': 100,
  'pasting 10,000 values into a condition': 100
}

if (options.help) console.log(HELP)
else await main(options.features, options.rounds)

async function main(features, rounds) {
  assertBuilt()
  const { chromium } = await import('playwright-core')
  const directory = temporaryDirectory()
  const server = await start(directory, { flags: ['--demo'] })
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await fill(await caller(server.url), features)
    const session = await signIn(browser, server.signInLink)
    const results = Object.fromEntries(Object.keys(GOALS).map((title) => [title, []]))
    for (let round = -1; round < rounds; round++) {
      // The first round also fills the caches of the server; each round has a browser profile of its own.
      const times = await measure(browser, session, server.url)
      if (round >= 0) for (const [title, time] of Object.entries(times)) results[title].push(time)
    }
    print(results)
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** A project with features that are on for a list of countries. */
async function fill(ask, count) {
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const filters = [{ type: 'user', subType: 'user_id', comparator: '=', values: ['ada'] }]
  const target = {
    audience: { filters: { operator: 'and', filters } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const configuration = { status: 'active', targets: [target] }
  const configurations = { development: configuration, production: configuration }
  const features = Array.from({ length: count }, (_, index) => ({
    key: `feature-${index}`,
    name: `Feature number ${index}`,
    tags: [`team-${index % 7}`],
    configurations
  }))
  while (features.length > 0) await ask('POST', 'v1', 'features/multiple', features.splice(0, 100))
}

/** Signs in by the link of the demo; returns the cookies and the organization. */
async function signIn(browser, link) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.locator('main h1').waitFor()
  const organization = new URL(page.url()).pathname.split('/')[2]
  const storageState = await context.storageState()
  await context.close()
  return { storageState, organization }
}

/** Opens the list in a new profile and uses it; returns milliseconds by title. */
async function measure(browser, { storageState, organization }, url) {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } })
  await context.addInitScript(recordStart)
  const page = await context.newPage()
  const project = `${url}/o/${organization}/p/shop`
  await page.goto(`${project}/features`)
  await page.locator('main tbody tr').first().waitFor()
  const { usable, shown } = await page.evaluate(() => window.start)
  // What follows is measured on a page at rest: chunks that load when the page is idle are there.
  await page.waitForLoadState('networkidle')
  const times = {
    'cold start until the page can be used': usable,
    'cold start until the list is shown': shown,
    'longest frame while the list scrolls': await page.evaluate(scrollThrough),
    'a letter in the search field': await page.evaluate(typeInSearch, 'feature number 77'),
    'opening the menu of a row': await page.evaluate(timeUntil, ['[aria-label^="Actions for"]', '[role="menu"]'])
  }
  await page.goto(`${project}/features/feature-1/overview`)
  const kill = page.getByRole('button', { name: /^Kill/ })
  await kill.waitFor()
  await page.waitForLoadState('networkidle')
  await kill.evaluate((button) => button.setAttribute('data-measured', ''))
  const open = () => page.evaluate(timeUntil, ['[data-measured]', '[role="dialog"]'])
  times['opening a dialog, first time'] = await open()
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
  times['opening a dialog, again'] = await open()
  await page.goto(`${project}/features/feature-1/manage-feature?env=development`)
  await page.getByPlaceholder('add a value').waitFor()
  const values = Array.from({ length: 10_000 }, (_, index) => `user-${index}`).join('\n')
  times['pasting 10,000 values into a condition'] = await page.evaluate(paste, values)
  await context.close()
  return times
}

/** Runs in the page: records when the rail and the first row appear, since the start of the navigation. */
function recordStart() {
  window.start = {}
  const see = (name, selector) => {
    if (window.start[name] === undefined && document.querySelector(selector)) {
      requestAnimationFrame(() => setTimeout(() => (window.start[name] ??= performance.now())))
    }
  }
  new MutationObserver(() => {
    see('usable', 'nav a[aria-current]')
    see('shown', 'main tbody tr')
  }).observe(document, { childList: true, subtree: true })
}

/**
 * Runs in the page: scrolls to the end of the list, about four rows a frame as with a quick flick, and returns the longest
 * time between two frames.
 */
async function scrollThrough() {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  let longest = 0
  let last = await nextFrame()
  while (Math.ceil(scrollY + innerHeight) < document.documentElement.scrollHeight) {
    scrollBy(0, 200)
    const now = await nextFrame()
    longest = Math.max(longest, now - last)
    last = now
  }
  scrollTo(0, 0)
  return longest
}

/** Runs in the page: types a text and returns the longest time from a letter until the next frame is painted. */
async function typeInSearch(text) {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const field = document.querySelector('input[type="search"]')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  field.focus()
  let longest = 0
  for (let end = 1; end <= text.length; end++) {
    // Letters at the speed of typing; each third one falls into the selection of rows.
    await new Promise((resolve) => setTimeout(resolve, end % 3 === 0 ? 200 : 60))
    const begin = performance.now()
    setValue.call(field, text.slice(0, end))
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await painted()
    longest = Math.max(longest, performance.now() - begin)
  }
  return longest
}

/** Runs in the page: clicks on one element and returns the time until another one is painted. */
async function timeUntil([button, result]) {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const element = document.querySelector(button)
  const begin = performance.now()
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
    const Kind = type.startsWith('pointer') ? PointerEvent : MouseEvent
    element.dispatchEvent(new Kind(type, { bubbles: true, button: 0, pointerType: 'mouse', detail: 1 }))
  }
  while (!document.querySelector(result)) await painted()
  await painted()
  return performance.now() - begin
}

/** Runs in the page: pastes into the field of a condition and returns the time until the values are painted. */
async function paste(text) {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const field = document.querySelector('input[placeholder="add a value"]')
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  field.focus()
  const begin = performance.now()
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await painted()
  return performance.now() - begin
}

function print(results) {
  const rows = Object.entries(results).map(([title, times]) => ({
    title,
    'median, ms': Math.round(median(times)),
    'worst, ms': Math.round(Math.max(...times)),
    goal: `≤ ${GOALS[title]} ${median(times) <= GOALS[title] ? '✓' : '✗'}`
  }))
  console.table(Object.fromEntries(rows.map(({ title, ...row }) => [title, row])))
  if (rows.some(({ goal }) => goal.endsWith('✗'))) process.exitCode = 1
}

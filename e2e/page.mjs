import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const screenshots = new URL('./screenshots/', import.meta.url)
mkdirSync(screenshots, { recursive: true })

/** Saves a screenshot of a page for manual review, unless `SCREENSHOTS` is `off`. The transitions of the page end first. */
export async function picture(page, name) {
  if (process.env.SCREENSHOTS === 'off') return endTransitions(page)
  await page.screenshot({
    path: fileURLToPath(new URL(`${name}.png`, screenshots)),
    fullPage: true,
    animations: 'disabled'
  })
}

/** Ends what would change the colours of a page while they are checked. Infinite animations continue. */
async function endTransitions(page) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
    }
  })
}

/** Records errors and requests of a page; returns the records. */
export function watch(page) {
  const notes = { consoleErrors: [], requests: [] }
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    // Chromium reports every error response, and these are intended.
    if (!/the server responded with a status of (4|5)\d\d/.test(message.text()))
      notes.consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => notes.consoleErrors.push(String(error)))
  page.on('request', (request) => notes.requests.push(request.url()))
  return notes
}

const axe = readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

/** Expects no violation of WCAG 2.0 to 2.2, levels A and AA, that axe can find. */
export async function assertAccessible(page, name, rules = allRules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  assert.deepEqual(await page.evaluate(findViolations, rules), [], name)
}

/** Runs in the page. Describes only violations: selectors of everything that passes would take longer than the rules. */
async function findViolations(runOnly) {
  const { violations } = await window.axe.run(document, { runOnly, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** Expects everything on a page to fit its width, and axe to find no violation, such as text that is too faint. */
export async function assertReadable(page, name) {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(excess <= 0, `${name} is ${excess} pixels wider than the window`)
  await assertAccessible(page, name)
}

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
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

/** Ends what would change the colours of a page while they are checked. Animations without an end go on. */
async function endTransitions(page) {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
    }
  })
}

/** Records errors and requests of a page; returns the records. */
export function watch(page) {
  const notes = { complaints: [], requests: [] }
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    // Chromium reports every error response, and these are intended.
    if (!/the server responded with a status of (4|5)\d\d/.test(message.text())) notes.complaints.push(message.text())
  })
  page.on('pageerror', (error) => notes.complaints.push(String(error)))
  page.on('request', (request) => notes.requests.push(request.url()))
  return notes
}

/** Expects everything on a page to fit its width, and to have a contrast of 4.5 with its background. */
export async function assertReadable(page, name) {
  const found = await page.evaluate(readability)
  assert.equal(found.tooWide, 0, `${name} is ${found.tooWide} pixels wider than the window`)
  assert.deepEqual(found.tooFaint, [], `${name} has text that is too faint`)
}

/** Runs in the page. */
function readability() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number)
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const tooFaint = []
  for (const element of document.body.querySelectorAll('*')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
    if (texts.length === 0 && element.tagName !== 'INPUT') continue
    if (!element.checkVisibility()) continue
    const shades = [channels(getComputedStyle(element).color), groundOf(element)].map(luminance)
    const contrast = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05)
    if (contrast < 4.5) tooFaint.push(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 80)}`)
  }
  return { tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth), tooFaint }
}

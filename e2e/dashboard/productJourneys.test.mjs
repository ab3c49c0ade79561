import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { addFeature, journey } from './journey.mjs'
import { dashboard, openWindow, settle, skip, useDashboard, visit } from './support.mjs'

useDashboard()

journey('a product manager rolls a feature out, raises the share and stops it', async ({ page, input, subject }) => {
  await visit(page, 'features')
  const share = page.getByRole('textbox', { name: 'Starts at', exact: true })
  const save = async () => {
    await input.click(page.getByRole('button', { name: 'Review…' }))
    await input.click(page.getByRole('button', { name: /^Save 1 change in Production/ }))
    await page.getByText('Saved in Production').last().waitFor()
    // The notice of the save before may still be there.
    await page.getByRole('dialog', { name: 'Save in Production', exact: true }).waitFor({ state: 'detached' })
  }

  await input.click(page.getByRole('row', { name: subject.name }).getByRole('link', { name: /^on/ }))
  await input.choose(page.getByLabel('Who is included'), 'a linear rollout')
  await input.type(share, '20')
  await page.getByText(/20(\.\d+)?% are included now, rising to 100%/).waitFor()
  await page.getByText(/^Now 20% of these users/).waitFor()
  await picture(page, 'dashboard-rollout')
  await save()
  input.assertWithin(5)

  await input.type(share, '40')
  await save()
  input.assertWithin(3)

  await input.click(page.getByRole('switch', { name: 'The feature in Production' }))
  await input.press('ControlOrMeta+s')
  await input.click(page.getByRole('button', { name: 'Turn off in Production' }))
  await page.getByText('Saved in Production').last().waitFor()
  input.assertWithin(3)
})

/** A target that serves the variation `off` to everybody. */
const everybody = {
  audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
  distribution: [{ _variation: 'off', percentage: 1 }]
}

journey('a product manager rolls a feature out to 20% of Canadians', async ({ page, input, subject }) => {
  const path = `/v1/projects/demo/features/${subject.key}/configurations?environment=production`
  await dashboard.server.send('PATCH', path, { targets: [everybody] })
  await visit(page, 'features')
  await input.click(page.getByRole('row', { name: subject.name }).getByRole('link', { name: /^on/ }))
  await input.click(page.getByRole('button', { name: 'Add country rollout' }))
  await input.type(page.getByRole('combobox', { name: /^Add to/ }).first(), 'Canada')
  await input.click(page.getByRole('button', { name: 'Review…' }))
  await input.click(page.getByRole('button', { name: /^Save 1 change in Production/ }))
  await page.getByText('Saved in Production').last().waitFor()
  input.assertWithin(5)
  const { configurations } = await dashboard.server.send('GET', `/v2/projects/demo/features/${subject.key}`)
  const { targets } = configurations.find(({ status, targets }) => status === 'active' && targets.length === 2)
  assert.deepEqual(targets[0].audience.filters.filters[0].values, ['CA'])
  assert.equal(targets[0].rollout.startPercentage, 0.2)
})

test('a target is dragged to another position, by pointer and by keyboard', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features/new-checkout/manage-feature?env=production')
  const handle = (name) => page.getByRole('button', { name: `Drag ${name}` })
  const assertOrder = async (...names) => {
    const handles = page.getByRole('button', { name: /^Drag / })
    const expected = names.map((name) => `Drag ${name}`)
    await eventually(async () => {
      assert.deepEqual(await handles.evaluateAll((all) => all.map((one) => one.ariaLabel)), expected)
    })
  }
  await assertOrder('Canada', 'Enterprise customers', 'Everyone else')

  // The page has its final layout once the pointer reaches both.
  for (const name of ['Enterprise customers', 'Canada']) await handle(name).hover()
  const [from, to] = await Promise.all(['Canada', 'Enterprise customers'].map((name) => handle(name).boundingBox()))
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, to.y + 60, { steps: 5 })
  await picture(page, 'dashboard-dragged')
  await page.mouse.up()
  await assertOrder('Enterprise customers', 'Canada', 'Everyone else')

  const last = handle('Everyone else')
  const says = (words) => page.getByText(words, { exact: true }).waitFor({ state: 'attached' })
  await last.press('Space')
  await last.press('ArrowUp')
  await last.press('ArrowUp')
  await says('Everyone else, position 1 of 3')
  await assertAccessible(page, 'a lifted target')
  await last.press('Escape')
  await says('Everyone else is back at position 3 of 3')
  await last.press('Space')
  await last.press('ArrowUp')
  await last.press('Space')
  await assertOrder('Enterprise customers', 'Everyone else', 'Canada')
  await page.waitForFunction((element) => element === document.activeElement, await last.elementHandle())
})

test('a JSON value says in which line it is wrong', { skip }, async (t) => {
  const jsonSchema = JSON.stringify({ type: 'object', properties: { columns: { type: 'integer' } } })
  const validationSchema = {
    schemaType: 'jsonSchema',
    jsonSchema,
    description: 'A layout',
    exampleValue: { columns: 1 }
  }
  await dashboard.server.send('PATCH', '/v1/projects/demo/variables/shop-layout', { validationSchema })
  const { page } = await openWindow(t)
  await visit(page, 'features/shop-layout/variations')
  await page.getByRole('button', { name: /^shop-layout in Compact/ }).click()
  const dialog = page.getByRole('dialog', { name: 'shop-layout' })
  const text = dialog.getByRole('textbox', { name: 'JSON object' })
  const use = dialog.getByRole('button', { name: 'Use this value' })
  const assertCursorBefore = (rest) =>
    eventually(async () => {
      const after = await text.evaluate(({ value, selectionStart }) => value.slice(selectionStart))
      assert.ok(after.startsWith(rest), `the cursor is before ${after}`)
    })

  await text.fill('{\n  "banner": false\n  "columns": "two"\n}')
  await use.click()
  await dialog.getByText('Line 3: expected a comma or }.').waitFor()
  await assertCursorBefore('"columns"')
  await picture(page, 'dashboard-json')
  await assertAccessible(page, 'a JSON value')
  await text.fill('{\n  "banner": false,\n  "columns": "two"\n}')
  await use.click()
  await dialog.getByText(/\/columns must be integer/).waitFor()
  await assertCursorBefore('"two"')
  await text.fill('{"columns":2}')
  await dialog.getByRole('button', { name: 'Format' }).click()
  await eventually(async () => assert.equal(await text.inputValue(), '{\n  "columns": 2\n}'))
  await use.click()
  await page.getByText('1 unsaved change', { exact: true }).waitFor()
})

test('an issue tracker can be connected while there is none, and disconnected while there is one', {
  skip
}, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'settings/integrations')
  const button = (name) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog', { name: /an issue tracker$/ })
  const enterToken = () => dialog.getByRole('textbox', { name: 'Connection token' }).fill('the-token-of-the-shop')
  await button('Connect…').click()
  await enterToken()
  await dialog.getByRole('textbox', { name: 'URL' }).fill('https://issues.example.com')
  await button('Connect').click()
  await page.getByText('****shop').waitFor()
  await button('Connect…').waitFor({ state: 'detached' })
  await picture(page, 'dashboard-issue-tracker')
  await button('Disconnect…').click()
  await enterToken()
  await button('Disconnect').click()
  await button('Connect…').waitFor()
  await button('Disconnect…').waitFor({ state: 'detached' })
})

test('the places that read a feature are listed, as the last scan found them', { skip }, async (t) => {
  const at = (line) => ({ start: line, end: line })
  const references = [
    { fileName: 'src/checkout.ts', lineNumbers: at(12), confidence: 'certain' },
    { fileName: 'test/checkout.test.ts', lineNumbers: at(3), confidence: 'likely', isTest: true }
  ]
  const variables = [
    { key: 'new-checkout', references },
    { key: 'winter-banner', references: references.slice(0, 1) }
  ]
  const scan = { source: 'cli', repo: 'example/shop', branch: 'main', variables }
  await dashboard.server.post('/v1/projects/demo/codeUsages', scan)
  const { page } = await openWindow(t)
  await visit(page, 'features/gift-wrapping/code')
  await page.getByText('No scan has found code that reads this feature.').waitFor()
  await assertAccessible(page, 'no code usages')
  await visit(page, 'features/new-checkout/code')
  await page.getByRole('heading', { name: 'new-checkout: read in 2 places, 1 of them in tests' }).waitFor()
  await page.getByText('src/checkout.ts:12').waitFor()
  await picture(page, 'dashboard-code')
  await assertAccessible(page, 'code usages')

  await visit(page, 'variables')
  await page
    .getByRole('row', { name: /^new-checkout/ })
    .getByText('2 places')
    .waitFor()
  await page
    .getByRole('row', { name: /^gift-wrapping/ })
    .getByText('not found')
    .waitFor()
  await assertAccessible(page, 'variables with code usages')
  await visit(page, 'variables/new-checkout')
  await page.getByText('The last scans found 2 places that read this variable.').waitFor()
  await visit(page, 'stale')
  await page.getByRole('link', { name: 'Read in 1 place' }).waitFor()
  await visit(page, 'features/new-checkout/overview')
  await page.getByRole('link', { name: 'Read in 2 places' }).click()
  await page.getByRole('heading', { name: 'new-checkout: read in 2 places, 1 of them in tests' }).waitFor()
  await visit(page, 'features/there-is-no-such-feature/overview')
  await page.getByText(/Request: getFeature, [0-9a-f-]{36}\.$/).waitFor()
  await page.getByRole('link', { name: 'Targeting' }).waitFor({ state: 'detached' })
})

journey('a lead sees what is live where', async ({ page, input }) => {
  await visit(page, 'features')
  await page.getByRole('columnheader', { name: 'Production' }).waitFor()
  const assertStatuses = (name, expected) =>
    eventually(async () => {
      const cells = await page.getByRole('row', { name }).getByRole('cell').allInnerTexts()
      // The first cell has the checkbox.
      const statuses = cells.slice(1, 4).map((text) => text.split('\n').filter(Boolean)[0])
      assert.deepEqual(statuses, expected, name)
    })
  await assertStatuses('Winter banner', ['on', 'on', 'on'])
  await assertStatuses('Maintenance mode', ['off', 'off', 'off'])
  await assertStatuses('Checkout button', ['on, 2 variations', 'on, 2 variations', 'on, 2 variations'])
  await assertStatuses('Express delivery', ['on', 'on', 'scheduled'])
  await assertStatuses('Search suggestions', ['on', 'on', '25% rising'])
  input.assertWithin(0)
})

journey('an analyst reads an experiment and decides', async ({ page, way, input }) => {
  await visit(page, 'features/checkout-button/analytics?env=production')
  await page.getByRole('list', { name: 'Health checks' }).waitFor()
  await input.click(page.getByRole('button', { name: /^Complete/ }))
  await input.type(page.getByRole('textbox', { name: 'Type checkout-button to confirm' }), 'checkout-button')
  await picture(page, 'dashboard-decision')
  await input.click(page.getByRole('button', { name: way === 'pointer' ? 'Cancel' : 'Complete', exact: true }))
  await page.getByRole('dialog', { name: 'Complete Checkout button' }).waitFor({ state: 'detached' })
  input.assertWithin(3)
})

journey('a developer creates a feature and gets it into code', async ({ page, way, input }) => {
  const name = `Gift cards ${way}`
  const key = `gift-cards-${way}`
  await visit(page, 'features')
  await input.click(page.getByRole('link', { name: 'New feature' }))
  await input.type(page.getByRole('textbox', { name: 'Name' }), name)
  await input.click(page.getByRole('button', { name: 'Create feature' }))
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await settle(page)
  await picture(page, 'dashboard-created')
  await input.click(page.getByRole('button', { name: 'Copy: Node.js code' }))
  await eventually(async () => {
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(key))
  })
  input.assertWithin(4)

  const { sdkKeys } = await dashboard.server.send('GET', '/v1/projects/demo/environments/development')
  const response = await fetch(`${dashboard.server.url}/v1/variables/${key}`, {
    method: 'POST',
    headers: { authorization: sdkKeys.server[0].key, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'ada' })
  })
  assert.equal((await response.json()).value, true)
  await page.getByText('1 in Development').waitFor()
})

journey('a developer gets a variation for oneself only', async ({ page, way, input, subject }) => {
  const inDevelopment = `/v1/projects/demo/features/${subject.key}/configurations?environment=development`
  await dashboard.server.send('PATCH', inDevelopment, { status: 'active', targets: [everybody] })
  await visit(page, '/o/{org}/settings/profile-overrides')
  await input.type(page.getByRole('textbox', { name: 'Your user ID' }), `ada-${way}`)
  await input.click(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText(`Saved your user ID: ada-${way}`).waitFor()
  input.assertWithin(2)

  await input.click(page.getByRole('button', { name: 'Override', exact: true }))
  await input.type(page.getByRole('combobox', { name: 'Feature' }), subject.key)
  await input.click(page.getByRole('button', { name: 'Set override' }))
  await page.getByText(`You now get On of ${subject.name} in Development`).waitFor()
  input.assertWithin(3)

  await input.click(page.getByRole('link', { name: subject.name }))
  await page.getByText('You get On in Development, regardless of the targets.').waitFor()
  await picture(page, 'dashboard-override')
})

test('a save on a phone leaves the focus on the page, and its notice covers no button', { skip }, async (t) => {
  await addFeature({ key: 'saved-on-a-phone', name: 'Saved on a phone' })
  const { page } = await openWindow(t, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await visit(page, 'features/saved-on-a-phone/manage-feature?env=production')
  const add = page.getByRole('button', { name: 'Add target', exact: true })
  await add.click()
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: /^[\d.]+% of [\d,]+ (recent|synthetic) users would change$/ }).waitFor()
  const rows = await bar.evaluate((element) => new Set([...element.children].map((row) => row.offsetTop)).size)
  assert.equal(rows, 2)
  await bar.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('button', { name: /^Save 1 change in Production/ }).click()
  const notice = page.getByText('Saved in Production').last()
  await notice.waitFor()
  await bar.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1'))
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await eventually(async () => {
    const [shown, button] = [await notice.boundingBox(), await add.boundingBox()]
    assert.ok(shown.y + shown.height <= button.y || button.y + button.height <= shown.y, 'the button is not covered')
  })
})

test('a form of settings shows what was saved until another value is read', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'settings')
  const description = page.getByRole('textbox', { name: /^Description/ })
  const before = await description.inputValue()
  await description.fill('Everything that is sold')
  await page.evaluate(() => {
    window.shown = []
    const look = () => {
      const { value } = document.querySelector('main textarea')
      if (window.shown.at(-1) !== value) window.shown.push(value)
      requestAnimationFrame(look)
    }
    look()
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved the project').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await eventually(async () => assert.equal(await description.inputValue(), before))
  assert.deepEqual(await page.evaluate(() => window.shown), ['Everything that is sold', before])
})

test('the audit log of the organization leads to the features and projects of its entries', { skip }, async (t) => {
  await addFeature({ key: 'in-the-log', name: 'In the log' })
  const { page } = await openWindow(t)
  await visit(page, '/o/{org}/settings/audit-log')
  const entry = page.getByRole('listitem').filter({ hasText: 'In the log' }).first()
  assert.match(await entry.getByRole('link', { name: 'Demo shop' }).getAttribute('href'), /\/p\/demo$/)
  await entry.getByRole('link', { name: 'In the log' }).click()
  await page.getByRole('heading', { name: 'In the log', level: 1 }).waitFor()
})

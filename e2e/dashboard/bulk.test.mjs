import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { addFeature } from './journey.mjs'
import { looks } from './pages.mjs'
import { dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'

useDashboard()

const rowBoxes = (page) => page.getByRole('checkbox', { name: /^Select (?!all )/ })

/** Selects the first three features by keyboard; returns their names. */
async function selectThree(page) {
  const names = []
  for (let index = 0; index < 3; index++) {
    const box = rowBoxes(page).nth(index)
    await box.press('Space')
    await box.and(page.locator(':checked')).waitFor()
    names.push((await page.getByRole('rowheader').nth(index).getByRole('link').textContent()).trim())
  }
  await page.getByText('3 selected').waitFor()
  return names
}

/** Applies what the dialog shows, and closes its report. */
async function apply(page, action) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: action }).click()
  await dialog.getByRole('heading', { name: 'Result' }).waitFor()
  const summary = await dialog.getByRole('status').first().textContent()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  return summary
}

test('three selected features are tagged, turned off and turned on', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features?env=production')
  const names = await selectThree(page)
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Tag…' }).press('Enter')
  await dialog.getByLabel('Tags').fill('spring, spring')
  await dialog.getByLabel('Tags').press('Enter')
  await dialog.getByText('3 would change').waitFor()
  // Only the dialog names the tag: a preview changes nothing.
  await eventually(async () => assert.equal(await page.getByText('#spring').count(), 3))
  assert.equal(await apply(page, 'Tag 3 features'), '3 changed')
  for (const name of names) {
    await page.getByRole('row').filter({ hasText: name }).getByText('#spring').waitFor()
  }

  for (const [button, verb] of [
    ['Turn off…', 'Turn off'],
    ['Turn on…', 'Turn on']
  ]) {
    await page.getByRole('button', { name: button }).click()
    await dialog.getByLabel('Environment').selectOption('production')
    await dialog.getByText('is protected.').waitFor()
    const act = dialog.getByRole('button', { name: new RegExp(`^${verb} [1-3] feature`) })
    await act.waitFor()
    assert.equal(await act.getAttribute('aria-disabled'), 'true', 'the name of the environment comes first')
    await dialog.getByLabel('Type production to confirm').fill('production')
    assert.match(await apply(page, new RegExp(`^${verb} [1-3] feature`)), /^[1-3] changed/)
  }

  await page.getByRole('button', { name: 'Tag…' }).press('Enter')
  await dialog.getByLabel('Tags').fill('autumn')
  await dialog.getByLabel('Tags').press('Enter')
  await dialog.getByRole('button', { name: 'Tag 3 features' }).click()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await page.getByRole('dialog', { name: 'Result' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('row').getByText('#autumn').count(), 0)
  assert.equal(await page.getByRole('row').getByText('#spring').count(), 3)

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('3 selected').waitFor({ state: 'detached' })
})

test('selected features are killed with a reason, and are found as killed', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features?env=production&q=shop')
  await page.getByRole('checkbox', { name: 'Select Shop layout' }).press('Space')
  await page.getByRole('button', { name: 'Turn off…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Environment').selectOption({ label: 'All environments, at once' })
  await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill('Layout breaks on phones')
  assert.match(await apply(page, 'Turn off 1 feature everywhere'), /^1 changed/)
  await visit(page, 'features?env=production&is=killed')
  await page
    .getByRole('row', { name: /Shop layout/ })
    .getByText('killed')
    .first()
    .waitFor()
  await picture(page, 'dashboard-killed')
  const [{ changes }] = await dashboard.server.send('GET', '/v1/projects/demo/features/shop-layout/audit')
  assert.equal(changes.find(({ type }) => type === 'killedFeature').newContents.reason, 'Layout breaks on phones')
})

test('the list of features works by keyboard, and its links open other tabs', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features?env=production&q=gift')
  const button = page.getByRole('button', { name: 'Actions for Gift wrapping' })
  const focused = page.locator(':focus')
  for (const key of ['Enter', 'ArrowDown']) {
    await button.press(key)
    await focused.and(page.getByRole('menuitem', { name: 'Targeting in Production' })).waitFor()
    const menu = await button.getAttribute('aria-controls')
    assert.equal(await page.getByRole('menu').getAttribute('id'), menu)
    await page.keyboard.press('Escape')
    await focused.and(button).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    assert.equal(await button.getAttribute('aria-controls'), null)
  }
  const list = page.url()
  const link = page.getByRole('link', { name: 'Gift wrapping', exact: true })
  for (const how of [{ modifiers: ['Control'] }, { button: 'middle' }]) {
    const opened = page.context().waitForEvent('page')
    await link.click(how)
    const tab = await opened
    await tab.waitForURL(/\/features\/gift-wrapping\/overview/)
    await tab.close()
    assert.equal(page.url(), list)
  }
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await link.press('Enter')
  await page.getByRole('heading', { name: 'Gift wrapping' }).waitFor()
  assert.equal(await page.evaluate(() => window.isSamePage), true, 'a plain link reloads nothing')
})

test('selected features go to the page that promotes them', { skip }, async (t) => {
  const { page } = await openWindow(t)
  await visit(page, 'features')
  await selectThree(page)
  await page.getByRole('link', { name: 'Promote…' }).click()
  await page.getByRole('heading', { name: 'Promote features' }).waitFor()
  await page.waitForURL((url) => url.searchParams.get('features')?.split(',').length === 3)
})

test('a promotion shows its result with links, and is undone there', { skip }, async (t) => {
  const { page } = await openWindow(t)
  const { key } = await addFeature({ key: 'promoted', name: 'Promoted' })
  const targets = async () => {
    const path = `/v1/projects/demo/features/${key}/configurations?environment=staging`
    return (await dashboard.server.send('GET', path))[0].targets.length
  }
  await visit(page, `promote?features=${key}&from=production&to=staging`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Promote 1 of 1' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
  await page.getByText('1 promoted', { exact: true }).waitFor()
  await picture(page, 'dashboard-promoted')
  assert.equal(await page.getByRole('dialog').count(), 0, 'no notice covers the result')
  assert.equal(await targets(), 1)
  const link = page.getByRole('link', { name: `Targeting of ${key} in staging` })
  assert.match(await link.getAttribute('href'), /promoted\/manage-feature\?env=staging$/)

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.equal(await targets(), 0)
})

test('a watched feature is listed on request, and a change of it is announced', { skip }, async (t) => {
  const { page } = await openWindow(t)
  const stream = page.waitForResponse(/\/projects\/demo\/changes$/)
  await visit(page, 'features/gift-wrapping/overview')
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.getByRole('button', { name: 'Watching', pressed: true }).waitFor()
  await stream
  await dashboard.server.send('PATCH', '/v2/projects/demo/features/gift-wrapping', { description: 'Paper and ribbon' })
  await page.getByText('Another person changed gift-wrapping').waitFor()
  await visit(page, 'features')
  await page.getByRole('button', { name: 'Watched', exact: true }).click()
  await page.getByText('1 of ').waitFor()
  await page.waitForURL((url) => url.searchParams.get('watched') === 'true')
})

test('a promotion goes to another project, with an audience that this one lacks', { skip }, async (t) => {
  const { post, send } = dashboard.server
  const filters = { operator: 'and', filters: [{ type: 'user', subType: 'country', comparator: '=', values: ['NZ'] }] }
  const { _id } = await post('/v1/projects/demo/audiences', { key: 'insiders', name: 'Insiders', filters })
  const { key, ...feature } = await addFeature({ key: 'shared', name: 'Shared' })
  const audience = { filters: { operator: 'and', filters: [{ type: 'audienceMatch', _audiences: [_id] }] } }
  const targets = [{ audience, distribution: [{ _variation: 'on', percentage: 1 }] }]
  await send('PATCH', `/v1/projects/demo/features/${key}/configurations?environment=production`, { targets })
  await post('/v2/projects/payments/features', {
    key,
    name: 'Shared',
    variables: [{ key, type: 'Boolean' }],
    variations: feature.variations.map(({ key, name, variables }) => ({ key, name, variables }))
  })
  const count = async () => {
    const path = `/v1/projects/payments/features/${key}/configurations?environment=staging`
    return (await send('GET', path))[0].targets.length
  }

  const { page } = await openWindow(t)
  await visit(page, `promote?features=${key}&from=production`)
  await page.getByLabel('To project').selectOption('payments')
  await page.getByText(/^Payments lacks .*A promotion creates no features/).waitFor()
  // The address keeps the choice, so that the state of a box changes a moment after the click.
  await page.getByRole('checkbox', { name: /^Production/ }).click()
  await page.getByRole('checkbox', { name: /^Production/, checked: false }).waitFor()
  await page.getByRole('checkbox', { name: 'Staging' }).click()
  await page.getByRole('checkbox', { name: 'Staging', checked: true }).waitFor()
  await page.getByRole('heading', { name: /lacks 1 audience$/ }).waitFor()
  await page.getByText(/^Payments lacks .*A promotion creates no features/).waitFor()
  await picture(page, 'dashboard-promote-project')
  await assertAccessible(page, 'promotion between projects')
  await page.getByRole('button', { name: /^Create it in / }).click()
  await page.getByRole('heading', { name: /lacks 1 audience$/ }).waitFor({ state: 'detached' })
  await eventually(async () => {
    assert.deepEqual((await send('GET', '/v1/projects/payments/audiences/insiders')).filters, filters)
  })

  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Promote 1 of 1' }).click()
  await page.getByText('1 promoted', { exact: true }).waitFor()
  assert.equal(await count(), 1)
  const link = page.getByRole('link', { name: `Targeting of ${key} in staging` })
  assert.match(await link.getAttribute('href'), /\/p\/payments\/features\/shared\/manage-feature\?env=staging$/)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.equal(await count(), 0)
})

for (const [look, options] of looks) {
  test(`the selection and its dialogs are accessible, ${look}`, { skip }, async (t) => {
    const { page } = await openWindow(t, options)
    await visit(page, 'features?env=production')
    await selectThree(page)
    await picture(page, `dashboard-selection-${look}`)
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
    await assertAccessible(page, `selection, ${look}`)
    for (const name of ['Archive', 'Turn off']) {
      await page.getByRole('button', { name: `${name}…` }).click()
      await page
        .getByRole('dialog')
        .getByText(/would change|unchanged|refused/)
        .first()
        .waitFor()
      await picture(page, `dashboard-bulk-${name.toLowerCase().replace(' ', '-')}-${look}`)
      await assertAccessible(page, `${name}, ${look}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })
}

for (const [look, options] of looks) {
  test(`a notice covers no row of buttons, ${look}`, { skip }, async (t) => {
    const { page } = await openWindow(t, options)
    await visit(page, 'features?env=production')
    await selectThree(page)
    await page.getByRole('button', { name: 'Actions for Support chat' }).click()
    await page.getByRole('menuitem', { name: 'Turn off everywhere…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off everywhere' }).click()
    const notice = page.getByRole('dialog').filter({ hasText: 'Killed Support chat' })
    await notice.waitFor()
    await page.waitForFunction(isClear, await notice.elementHandle())
    await picture(page, `dashboard-notice-${look}`)
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
  })
}

/** Runs in the page: whether the notice is in the window and covers no button that is not its own. */
function isClear(notice) {
  const box = notice.getBoundingClientRect()
  const covers = ({ left, right, top, bottom, width }) =>
    width > 0 && left < box.right && right > box.left && top < box.bottom && bottom > box.top
  const bars = document.querySelectorAll('[aria-label="Selected features"], [aria-label="Main, on phones"]')
  return box.top > 0 && box.bottom <= innerHeight && ![...bars].some((bar) => covers(bar.getBoundingClientRect()))
}

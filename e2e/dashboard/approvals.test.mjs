import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { addFeature } from './journey.mjs'
import { signIn } from './people.mjs'
import { dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'
import { useInput } from './userInput.mjs'

const ways = ['pointer', 'keyboard']

let bob
useDashboard({
  prepare: async () => {
    bob = await signIn('Bob', [{ role: 'publisher' }])
    await addFeature({ key: 'approved-meanwhile', name: 'Approved meanwhile' })
    await addFeature({ key: 'approved-slowly', name: 'Approved slowly' })
    await addFeature({ key: 'not-approved', name: 'Not approved' })
    for (const way of ways) await addFeature({ key: `approved-${way}`, name: `Approved by ${way}` })
    await dashboard.server.send('PATCH', '/v1/projects/demo/settings/protected', {
      settings: { featureApprovalWorkflow: { enabled: true, allowPublisherBypass: false } }
    })
  }
})

/** Requests on a page that a feature is turned off in production. */
async function requestSwitchOff(page, key, why) {
  await visit(page, `features/${key}/manage-feature?env=production`)
  await page.getByRole('switch', { name: 'The feature in Production' }).click()
  await page.getByRole('button', { name: 'Request change…' }).click()
  await page.getByRole('textbox', { name: 'Description (optional)' }).fill(why)
  await page.getByRole('button', { name: 'Request change', exact: true }).click()
  await page.getByRole('link', { name: 'Open the request' }).waitFor()
}

for (const way of ways) {
  test(`an approver decides with confidence, by ${way}`, { skip }, async (t) => {
    const author = await openWindow(t, { storageState: bob.storageState })
    const why = `Off for now, ${way}`
    await requestSwitchOff(author.page, `approved-${way}`, why)

    const { page } = await openWindow(t)
    const input = useInput(page, way)
    await visit(page, 'features')
    const rail = page.getByRole('navigation', { name: 'Main', exact: true })
    await input.click(rail.getByRole('link', { name: /^Requests/ }))
    await input.click(page.getByRole('link', { name: why }))
    await page.getByRole('heading', { name: 'What changes' }).waitFor()
    await page.getByText(/Up to date: the feature has not changed/).waitFor()
    await page.getByText(/of [\d,]+ (recent|synthetic) users would get another variation/).waitFor()
    await picture(page, 'dashboard-request')
    await input.click(page.getByRole('button', { name: 'Approve…' }))
    await input.click(page.getByRole('button', { name: 'Approve and apply in Production' }))
    await page.getByText('Approved and applied').waitFor()
    input.assertWithin(4)
    const { configurations } = await dashboard.server.send('GET', `/v2/projects/demo/features/approved-${way}`)
    assert.ok(configurations.every(({ status }) => status !== 'active'))
  })
}

test('the buttons of a decision stay busy until the page shows it', { skip }, async (t) => {
  const author = await openWindow(t, { storageState: bob.storageState })
  const why = 'Off, slowly'
  await requestSwitchOff(author.page, 'approved-slowly', why)

  const { page } = await openWindow(t)
  await visit(page, 'change-requests')
  await page.getByRole('link', { name: why }).click()
  await page.getByText(/Up to date: the feature has not changed/).waitFor()
  await page.getByRole('button', { name: 'Reject…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Not this week')
  const request = /\/change-requests\/[0-9a-f]{24}$/
  let release
  const isReleased = new Promise((resolve) => {
    release = resolve
  })
  await page.route(request, async (route) => {
    await isReleased
    await route.continue()
  })
  const readsAgain = page.waitForRequest(request)
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await readsAgain
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  assert.equal(await dialog.getByRole('button', { name: 'Reject' }).getAttribute('aria-busy'), 'true')
  release()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('rejected', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Reject…' }).waitFor({ state: 'detached' })
})

test('an approval while another person edits the feature keeps what they typed', { skip }, async (t) => {
  const [editor, approver] = [await openWindow(t), await openWindow(t)]
  const author = await openWindow(t, { storageState: bob.storageState })
  const { page } = editor
  await visit(page, 'features/approved-meanwhile/manage-feature?env=production')
  await page.getByRole('button', { name: 'Add target', exact: true }).click()
  await page.getByText('1 unsaved change').waitFor()

  const why = 'Off meanwhile'
  await requestSwitchOff(author.page, 'approved-meanwhile', why)
  await page.getByText('Your draft is kept, and cannot be saved while it waits.').waitFor()
  await visit(approver.page, 'change-requests')
  await approver.page.getByRole('link', { name: why }).click()
  // What arrives later moves the button, and a button that moves while it is pressed gets no click.
  await approver.page.getByText(/Up to date: the feature has not changed/).waitFor()
  await approver.page.getByText(/of [\d,]+ (recent|synthetic) users would get another variation/).waitFor()
  await approver.page.getByRole('button', { name: 'Approve…' }).click()
  await approver.page.getByRole('button', { name: 'Approve and apply in Production' }).click()
  await approver.page.getByText('Approved and applied').waitFor()

  await page
    .getByText('Approved meanwhile has changed since you started this draft. Your draft is unchanged.')
    .waitFor()
  await page.getByText('1 unsaved change').waitFor()
  await picture(page, 'dashboard-approved-meanwhile')
  await page.getByRole('button', { name: 'Request change…' }).click()
  await page.getByText('Your changes do not conflict with it. Both can be kept.').waitFor()
  await page.getByRole('button', { name: 'Merge and review' }).click()
  await page.getByRole('textbox', { name: 'Description (optional)' }).fill('One more target')
  await page.getByRole('button', { name: 'Request change', exact: true }).click()
  await page.getByText(/^Requested the change/).waitFor()
  const path = '/v2/projects/demo/features/approved-meanwhile'
  const { configurations } = await dashboard.server.send('GET', path)
  assert.ok(
    configurations.every(({ status }) => status !== 'active'),
    'the approved change stays'
  )
  const requests = await dashboard.server.send('GET', `${path}/change-requests`)
  const [{ changes }] = requests.filter(({ description }) => description === 'One more target')
  assert.ok(changes.length > 0)
  assert.ok(
    changes.every(({ type }) => !/able|status/i.test(type)),
    'the request leaves the approved status'
  )
})

test('a publisher applies a request in an emergency, and its reason is shown wherever the change is', {
  skip
}, async (t) => {
  const author = await openWindow(t, { storageState: bob.storageState })
  const why = 'Off before the review'
  await requestSwitchOff(author.page, 'not-approved', why)

  const { page } = await openWindow(t)
  await visit(page, 'change-requests')
  await page.getByRole('link', { name: why }).click()
  await page.getByText(/Up to date: the feature has not changed/).waitFor()
  await page.getByRole('button', { name: 'More actions for this request' }).click()
  await page.getByRole('menuitem', { name: 'Apply without approval…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply without approval' })
  const apply = dialog.getByRole('button', { name: 'Apply in Production without approval' })
  const reason = dialog.getByRole('textbox', { name: 'Reason for skipping the review' })
  await reason.fill('Outage')
  await apply.click()
  await dialog.getByText('Enter at least 10 characters.').waitFor()
  await picture(page, 'dashboard-emergency')
  await assertAccessible(page, 'an emergency')
  await reason.fill('Payments fail for all customers')
  await apply.click()
  await page.getByText('Applied without approval').first().waitFor()
  await page.getByText('Payments fail for all customers').first().waitFor()
  await picture(page, 'dashboard-emergency-applied')
  const { configurations } = await dashboard.server.send('GET', '/v2/projects/demo/features/not-approved')
  assert.ok(configurations.every(({ status }) => status !== 'active'))

  await visit(page, 'features/not-approved/audit-log')
  await page
    .getByRole('heading', { name: /applied in an emergency/i })
    .first()
    .waitFor()
  await page
    .getByText(/applied in an emergency: Payments fail for all customers/)
    .first()
    .waitFor()
  await picture(page, 'dashboard-emergency-history')
})

test('an approver without a remembered project finds the requests that wait', { skip }, async (t) => {
  const { page } = await openWindow(t, { storageState: bob.storageState })
  await visit(page, '/o/{org}/settings/projects')
  const active = await dashboard.server.send('GET', '/v2/projects/payments/features?status=active')
  const figures = page.getByRole('row', { name: /^Payments/ })
  await figures
    .getByRole('cell', { name: String(active.length), exact: true })
    .first()
    .waitFor()
  // What waits for him, and nothing stale.
  await eventually(async () => assert.equal(await figures.getByRole('link', { name: /^\d+$/ }).count(), 1))
  await page.getByRole('link', { name: /^\d+ change requests? in Payments$/ }).click()
  const current = page.getByRole('navigation', { name: 'Requests' }).locator('[aria-current]')
  await current.filter({ hasText: /\(\d+\)$/ }).waitFor()
  const [, count] = /^Waiting for you \((\d+)\)$/.exec(await current.textContent()) ?? []
  const rail = page.getByRole('navigation', { name: 'Main', exact: true })
  await rail.getByRole('link', { name: `Requests ${count} waiting for you` }).waitFor()
  await eventually(async () => assert.equal(await page.locator('main tbody tr').count(), Number(count)))
  await page.locator('main tbody a').first().click()
  await page.getByRole('heading', { name: 'What changes' }).waitFor()
  await rail.locator('[aria-current]').getByText('Requests').waitFor()
  await page.getByRole('link', { name: '← Change requests' }).click()
  await page.getByRole('navigation', { name: 'Requests' }).getByText(`Waiting for you (${count})`).waitFor()
  await current.filter({ hasText: /^Waiting for you/ }).waitFor()
})

test('an approver on a phone sees the requests of other projects, and the share of affected users', {
  skip
}, async (t) => {
  const { page } = await openWindow(t, {
    storageState: bob.storageState,
    viewport: { width: 390, height: 844 },
    hasTouch: true
  })
  await visit(page, 'features')
  const bar = page.getByRole('navigation', { name: 'Main, on phones' })
  await bar.getByRole('link', { name: /^Requests .*\d in other projects$/ }).click()
  await page.getByRole('link', { name: /^\d+ change requests? in Payments$/ }).click()
  await page.locator('main tbody a').first().click()
  const decision = page.getByRole('region', { name: 'Decision' })
  const share = decision.getByText(
    /^[\d.]+% of [\d,]+ (recent|synthetic) users in Production would get another variation\.$/
  )
  await share.waitFor()
  await picture(page, 'dashboard-request-on-a-phone')
  const [line, button] = [share, decision.getByRole('button', { name: 'Approve…' })]
  await eventually(async () => {
    const [above, below] = [await line.boundingBox(), await button.boundingBox()]
    assert.ok(
      above.y + above.height <= below.y && below.y + below.height <= 844,
      'both are in the window, one below the other'
    )
  })
})

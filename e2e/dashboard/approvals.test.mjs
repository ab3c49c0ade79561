import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picture } from '../page.mjs'
import { useHands } from './hands.mjs'
import { signIn } from './people.mjs'
import { dashboard, openWindow, skip, useDashboard, visit } from './support.mjs'
import { addFeature } from './walk.mjs'

const ways = ['pointer', 'keyboard']

let bob
useDashboard({
  prepare: async () => {
    bob = await signIn('Bob', [{ role: 'publisher' }])
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
  await page.getByRole('textbox', { name: 'Why' }).fill(why)
  await page.getByRole('button', { name: 'Request change', exact: true }).click()
  await page.getByRole('link', { name: 'Open the request' }).waitFor()
}

for (const way of ways) {
  test(`an approver decides with confidence, by ${way}`, { skip }, async (t) => {
    const author = await openWindow(t, { storageState: bob.storageState })
    const why = `Off for now, ${way}`
    await requestSwitchOff(author.page, `approved-${way}`, why)

    const { page } = await openWindow(t)
    const hands = useHands(page, way)
    await visit(page, 'features')
    const rail = page.getByRole('navigation', { name: 'Main', exact: true })
    await hands.click(rail.getByRole('link', { name: /^Requests/ }))
    await hands.click(page.getByRole('link', { name: why }))
    await page.getByRole('heading', { name: 'What changes' }).waitFor()
    await page.getByText(/Fits the feature as it is/).waitFor()
    await page.getByText(/of [\d,]+ (recent|simulated) users get another variation/).waitFor()
    await picture(page, 'dashboard-request')
    await hands.click(page.getByRole('button', { name: 'Approve…' }))
    await hands.click(page.getByRole('button', { name: 'Approve and apply in Production' }))
    await page.getByText('Approved and applied').waitFor()
    hands.assertWithin(4)
    const { configurations } = await dashboard.server.send('GET', `/v2/projects/demo/features/approved-${way}`)
    assert.ok(configurations.every(({ status }) => status !== 'active'))
  })
}

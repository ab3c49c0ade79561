import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { assertAccessible, dashboard, useDashboard, visit } from './support.mjs'
import { walk } from './walk.mjs'

useDashboard({ settings: { BURGEE_ALLOWED_PRIVATE_TARGETS: '127.0.0.1/32' } })

walk('support finds out why a user gets a variation', async ({ page, hands }) => {
  await visit(page, 'features')
  await hands.click(page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Explain' }))
  await hands.type(page.getByRole('textbox', { name: 'User ID' }), 'ada')
  await hands.type(page.getByRole('textbox', { name: 'Country code' }), 'CA')
  await hands.click(page.getByRole('button', { name: 'Explain', exact: true }))
  const feature = page.getByRole('button', { name: /^New checkout/ })
  await hands.click(feature)
  await page.getByText('country is Canada (CA)').first().waitFor()
  await feature.getByText('Variation On').first().waitFor()
  await picture(page, 'dashboard-explained')
  await page.getByRole('button', { name: /^Order export.*no match: plan is enterprise · the user has none/ }).waitFor()
  hands.assertWithin(5)
  assert.doesNotMatch(page.url(), /ada/, 'the user does not stand in the address')

  await hands.click(page.getByRole('button', { name: 'Compare with another user' }))
  const second = page.getByRole('region', { name: 'Second user' })
  await hands.type(second.getByRole('textbox', { name: 'User ID' }), 'grace')
  await hands.click(second.getByRole('button', { name: 'Explain', exact: true }))
  await hands.click(page.getByRole('checkbox', { name: 'Only differences' }))
  await page
    .getByRole('button', { name: /^New checkout.*ada\W+gets Variation On.*grace\W+differs\W+gets Variation Off/ })
    .waitFor()
  await page.getByRole('button', { name: /^Order export/ }).waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'grace', exact: true }).getByText('the user has none').first().waitFor()
  hands.assertWithin(4)
  await assertAccessible(page, 'two users')
  assert.doesNotMatch(page.url(), /ada|grace/, 'the users do not stand in the address')

  await hands.click(page.getByRole('button', { name: 'Remove the second user' }))
  await hands.choose(
    page.getByRole('combobox', { name: 'Compare with another environment' }),
    'Compare with Development'
  )
  await page
    .getByRole('button', { name: /^Gift wrapping.*Production\W+gets default.*Development\W+differs\W+gets On/ })
    .waitFor()
  hands.assertWithin(2)
})

walk('an operator stops the harm and puts it back', async ({ page, hands, subject }) => {
  const status = async () => {
    const { configurations } = await dashboard.server.send('GET', `/v2/projects/demo/features/${subject.key}`)
    return configurations.map((configuration) => configuration.status)
  }
  const before = await status()
  await visit(page, `features/${subject.key}/variations`)
  await hands.click(page.getByRole('button', { name: 'Kill…' }))
  await hands.click(page.getByRole('button', { name: 'Turn off everywhere' }))
  await page.getByText(`Killed ${subject.key}: off in all environments`).waitFor()
  hands.assertWithin(2)
  assert.ok((await status()).every((each) => each !== 'active'))

  await page.keyboard.press('F6')
  await hands.click(page.getByRole('button', { name: 'Undo' }))
  await page.getByText('Undone').waitFor()
  hands.assertWithin(2)
  assert.deepEqual(await status(), before)

  await hands.click(page.getByRole('button', { name: 'Kill…' }))
  await hands.type(page.getByRole('textbox', { name: 'Reason (optional)' }), 'Payments fail')
  await hands.click(page.getByRole('button', { name: 'Turn off everywhere' }))
  // The first notice may still be there, so the end of the dialog counts.
  await page.getByRole('dialog', { name: `Kill ${subject.name}?` }).waitFor({ state: 'detached' })
  await visit(page, `features/${subject.key}/audit-log`)
  await page.getByRole('heading', { name: 'Killed, turned off' }).first().waitFor()
  await page.getByText('Payments fail').waitFor()
})

walk('an operator replaces a key', async ({ page, way, hands }) => {
  const environment = way === 'pointer' ? 'staging' : 'development'
  const keys = async () =>
    (await dashboard.server.send('GET', `/v1/projects/demo/environments/${environment}`)).sdkKeys.server
  const evaluate = async ({ key }) => {
    const init = {
      method: 'POST',
      body: '{"user_id":"ada"}',
      headers: { authorization: key, 'content-type': 'application/json' }
    }
    return (await fetch(`${dashboard.server.url}/v1/variables`, init)).status
  }
  const [old] = await keys()
  await visit(page, `environments/${environment}`)
  await hands.click(page.getByRole('button', { name: 'New server key' }))
  await hands.click(page.getByRole('button', { name: 'Create server key' }))
  await page.getByText(/^A new server key is at the end of the list/).waitFor()
  const now = await keys()
  await eventually(async () => assert.deepEqual(await Promise.all(now.map(evaluate)), [200, 200]))

  const end = old.key.slice(-6)
  await hands.click(page.getByRole('button', { name: `Revoke the key ending in ${end}` }))
  await hands.type(page.getByRole('textbox', { name: `Type ${end} to confirm` }), end)
  await hands.click(page.getByRole('button', { name: /^Revoke/ }).last())
  await page.getByText(`The server key ending in ${end} is revoked`).waitFor()
  hands.assertWithin(5)
  await eventually(async () => assert.deepEqual(await Promise.all(now.map(evaluate)), [401, 200]))

  await visit(page, 'audit-log')
  await page.getByRole('heading', { name: 'SDK key deleted' }).first().waitFor()
})

walk('an operator repairs a webhook', async ({ t, page, way, hands, subject }) => {
  const statuses = [500]
  // Without a wait, the server would send it again within seconds, perhaps before the person does.
  const wait = { 'retry-after': '3600' }
  const receiver = createServer((_request, response) => response.writeHead(statuses.shift() ?? 204, wait).end())
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  t.after(() => receiver.close())
  const name = `Deploy log ${way}`
  await dashboard.server.post('/v1/projects/demo/webhooks', {
    name,
    url: `http://127.0.0.1:${receiver.address().port}/`,
    events: ['modifiedFeature'],
    _feature: subject._id
  })
  await dashboard.server.send('PATCH', `/v2/projects/demo/features/${subject.key}`, { description: 'Changed' })

  await visit(page, 'webhooks')
  await hands.click(page.getByRole('link', { name }))
  await page.getByText('1, last 500').waitFor()
  await hands.click(page.getByRole('table', { name: 'Deliveries' }).getByRole('link'))
  await hands.click(page.getByRole('button', { name: 'Send now' }))
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('Attempt 2').waitFor()
  await picture(page, 'dashboard-delivery')
  hands.assertWithin(3)

  await visit(page, 'webhooks')
  await hands.click(page.getByRole('link', { name }))
  await hands.click(page.getByRole('button', { name: 'Delete…' }))
  await hands.type(page.getByRole('textbox', { name: `Type ${name} to confirm` }), name)
  await hands.click(page.getByRole('button', { name: 'Delete webhook' }))
  await page.getByText(`Webhook ${name} deleted`).waitFor()
  hands.assertWithin(4)

  await visit(page, '/o/{org}/settings/audit-log')
  const entry = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: `${name}: webhook deleted` }) })
  await entry.getByText('in Demo shop').waitFor()
})

walk('a lead finishes stale features', async ({ page, way, hands }) => {
  await dashboard.server.send('PATCH', '/v1/projects/demo/settings/protected', {
    settings: { staleness: { released: { enabled: true, days: 5 }, unmodifiedLong: { enabled: true, days: 5 } } }
  })
  await visit(page, 'stale')
  await picture(page, 'dashboard-stale')
  const finding = (name) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const finish = async (name, key, button) => {
    await hands.click(finding(name).getByRole('button', { name: button }))
    await hands.type(page.getByRole('textbox', { name: `Type ${key} to confirm` }), key)
    const dialog = page.getByRole('dialog')
    await hands.click(dialog.getByRole('button', { name: /^(Complete|Archive)$/ }))
    await finding(name).waitFor({ state: 'detached' })
    hands.assertWithin(3)
  }
  if (way === 'pointer') await finish('Winter banner', 'winter-banner', 'Complete with “on”…')
  else await finish('Shop layout', 'shop-layout', 'Archive…')
  const last = finding('Order export')
  await hands.click(last.getByRole('button', { name: 'Snooze' }))
  await hands.click(page.getByRole('menuitem', { name: 'For 14 days' }))
  await last.waitFor({ state: 'detached' })
  hands.assertWithin(2)
  await page.keyboard.press('F6')
  await hands.click(
    page
      .getByText(/^Order export is snoozed/)
      .locator('..')
      .getByRole('button', { name: 'Undo' })
  )
  await last.waitFor()
})

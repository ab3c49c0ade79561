import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { assertAccessible, picture } from '../page.mjs'
import { eventually } from '../support.mjs'
import { journey } from './journey.mjs'
import { dashboard, useDashboard, visit } from './support.mjs'

useDashboard({ settings: { BURGEE_ALLOWED_PRIVATE_TARGETS: '127.0.0.1/32' } })

journey('support finds out why a user gets a variation', async ({ page, input }) => {
  await visit(page, 'features')
  await input.click(page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Explain' }))
  await input.type(page.getByRole('textbox', { name: 'User ID' }), 'ada')
  await input.type(page.getByRole('textbox', { name: 'Country' }), 'Canada')
  await input.click(page.getByRole('button', { name: 'Explain', exact: true }))
  const feature = page.getByRole('button', { name: /^New checkout/ })
  await input.click(feature)
  await page.getByText('country is Canada (CA)').first().waitFor()
  await feature.getByText('Variation On').first().waitFor()
  await picture(page, 'dashboard-explained')
  await page.getByRole('button', { name: /^Order export.*no match: plan is enterprise · the user has none/ }).waitFor()
  input.assertWithin(5)
  assert.doesNotMatch(page.url(), /ada/, 'the user does not stand in the address')

  await input.click(page.getByRole('button', { name: 'Compare with another user' }))
  const second = page.getByRole('region', { name: 'Second user' })
  await input.type(second.getByRole('textbox', { name: 'User ID' }), 'grace')
  await input.click(second.getByRole('button', { name: 'Explain', exact: true }))
  await input.click(page.getByRole('checkbox', { name: 'Only differences' }))
  await page
    .getByRole('button', { name: /^New checkout.*ada\W+gets Variation On.*grace\W+differs\W+gets Variation Off/ })
    .waitFor()
  await page.getByRole('button', { name: /^Order export/ }).waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'grace', exact: true }).getByText('the user has none').first().waitFor()
  input.assertWithin(4)
  await assertAccessible(page, 'two users')
  assert.doesNotMatch(page.url(), /ada|grace/, 'the users do not stand in the address')

  await input.click(page.getByRole('button', { name: 'Remove the second user' }))
  await input.choose(
    page.getByRole('combobox', { name: 'Compare with another environment' }),
    'Compare with Development'
  )
  await page
    .getByRole('button', { name: /^Gift wrapping.*Production\W+gets default.*Development\W+differs\W+gets On/ })
    .waitFor()
  input.assertWithin(2)
})

journey('an operator stops the harm and puts it back', async ({ page, input, subject }) => {
  const status = async () => {
    const { configurations } = await dashboard.server.send('GET', `/v2/projects/demo/features/${subject.key}`)
    return configurations.map((configuration) => configuration.status)
  }
  const before = await status()
  await visit(page, `features/${subject.key}/variations`)
  await input.click(page.getByRole('button', { name: 'Kill…' }))
  await input.click(page.getByRole('button', { name: 'Turn off everywhere' }))
  await page.getByText(`Killed ${subject.name}: off in all environments`).waitFor()
  input.assertWithin(2)
  assert.ok((await status()).every((each) => each !== 'active'))

  await page.keyboard.press('F6')
  await input.click(page.getByRole('button', { name: 'Undo' }))
  await page.getByText('Undone').waitFor()
  input.assertWithin(2)
  const hasFocus = () => page.evaluate(() => document.activeElement?.closest('main, header') !== null)
  assert.ok(await hasFocus(), 'Undo loses the focus')
  assert.deepEqual(await status(), before)

  await input.click(page.getByRole('button', { name: 'Kill…' }))
  await input.type(page.getByRole('textbox', { name: 'Reason (optional)' }), 'Payments fail')
  await input.click(page.getByRole('button', { name: 'Turn off everywhere' }))
  // The first notice may still be there, so the end of the dialog counts.
  await page.getByRole('dialog', { name: `Kill ${subject.name}?` }).waitFor({ state: 'detached' })
  await visit(page, `features/${subject.key}/audit-log`)
  await page.getByRole('heading', { name: 'Killed, turned off' }).first().waitFor()
  await page.getByText('Payments fail').waitFor()

  await visit(page, `features/${subject.key}/overview`)
  await page.getByText(/^Killed by .*, and off in .* since\. Reason: Payments fail$/).waitFor()
  await page.getByRole('link', { name: 'Show in the history' }).click()
  await page.locator('[aria-current]').getByRole('heading', { name: 'Killed, turned off' }).waitFor()
})

journey('an operator replaces a key', async ({ page, way, input }) => {
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
  await input.click(page.getByRole('button', { name: 'New server key' }))
  await input.click(page.getByRole('button', { name: 'Create server key' }))
  await page.getByText(/^Created a server key/).waitFor()
  const now = await keys()
  await eventually(async () => assert.deepEqual(await Promise.all(now.map(evaluate)), [200, 200]))

  const end = old.key.slice(-6)
  await input.click(page.getByRole('button', { name: `Revoke the key ending in ${end}` }))
  await input.type(page.getByRole('textbox', { name: `Type ${end} to confirm` }), end)
  await input.click(page.getByRole('button', { name: /^Revoke/ }).last())
  await page.getByText(`Revoked the server key ending in ${end}`).waitFor()
  input.assertWithin(5)
  await eventually(async () => assert.deepEqual(await Promise.all(now.map(evaluate)), [401, 200]))

  await visit(page, 'audit-log')
  await page.getByRole('heading', { name: 'SDK key deleted' }).first().waitFor()
})

journey('an operator repairs a webhook', async ({ t, page, way, input, subject }) => {
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
  await input.click(page.getByRole('link', { name }))
  await page.getByText('1, last 500').waitFor()
  await input.click(page.getByRole('table', { name: 'Deliveries' }).getByRole('link'))
  await input.click(page.getByRole('button', { name: 'Send now' }))
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('Attempt 2').waitFor()
  await picture(page, 'dashboard-delivery')
  input.assertWithin(3)

  await visit(page, 'webhooks')
  await input.click(page.getByRole('link', { name }))
  await input.click(page.getByRole('button', { name: 'Delete…' }))
  await input.type(page.getByRole('textbox', { name: `Type ${name} to confirm` }), name)
  await input.click(page.getByRole('button', { name: 'Delete webhook' }))
  await page.getByText(`Deleted webhook ${name}`).waitFor()
  input.assertWithin(4)

  await visit(page, '/o/{org}/settings/audit-log')
  const entry = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: `${name}: webhook deleted` }) })
  await entry.getByText('in Demo shop').waitFor()
})

journey('a lead finishes stale features', async ({ page, way, input }) => {
  await dashboard.server.send('PATCH', '/v1/projects/demo/settings/protected', {
    settings: { staleness: { released: { enabled: true, days: 5 }, unmodifiedLong: { enabled: true, days: 5 } } }
  })
  await visit(page, 'stale')
  await picture(page, 'dashboard-stale')
  const finding = (name) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const finish = async (name, key, button) => {
    await input.click(finding(name).getByRole('button', { name: button }))
    await input.type(page.getByRole('textbox', { name: `Type ${key} to confirm` }), key)
    const dialog = page.getByRole('dialog')
    await input.click(dialog.getByRole('button', { name: /^(Complete|Archive)$/ }))
    await finding(name).waitFor({ state: 'detached' })
    input.assertWithin(3)
  }
  if (way === 'pointer') await finish('Winter banner', 'winter-banner', 'Complete with “on”…')
  else await finish('Shop layout', 'shop-layout', 'Archive…')
  const last = finding('Order export')
  await input.click(last.getByRole('button', { name: 'Snooze' }))
  await input.click(page.getByRole('menuitem', { name: 'For 14 days' }))
  await last.waitFor({ state: 'detached' })
  input.assertWithin(2)
  await page.keyboard.press('F6')
  await input.click(
    page
      .getByText(/^Snoozed Order export/)
      .locator('..')
      .getByRole('button', { name: 'Undo' })
  )
  await last.waitFor()
})

import { dashboard, settle, visit } from './support.mjs'

const PASSWORD = 'seven herons over the mill'

/** Adds a person and signs them in through the sign-in page; returns the state of their browser. */
export async function signIn(name, roles) {
  const email = `${name.toLowerCase()}@example.com`
  const { password } = await dashboard.server.post('/v1/organizations/current/users', { email, name, roles })
  const context = await dashboard.browser.newContext()
  const page = await context.newPage()
  await page.goto(dashboard.server.url)
  await enterPassword(page, email, password)
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await settle(page)
  const storageState = await context.storageState()
  await context.close()
  return { email, password: PASSWORD, storageState }
}

/** Fills in and sends the sign-in page. */
export async function enterPassword(page, email, password) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Makes changes in production wait for another person, until the end of a test. */
export async function requireApproval(t) {
  const set = (enabled) =>
    dashboard.server.send('PATCH', '/v1/projects/demo/settings/protected', {
      settings: { featureApprovalWorkflow: { enabled, allowPublisherBypass: false } }
    })
  t.after(() => set(false))
  await set(true)
}

/** Requests on a page that a feature is turned off in production. */
export async function requestSwitchOff(page, { key }, why) {
  await visit(page, `features/${key}/manage-feature?env=production`)
  await page.getByRole('switch', { name: 'The feature in Production' }).click()
  await page.getByRole('button', { name: 'Request change…' }).click()
  await page.getByRole('textbox', { name: 'Why' }).fill(why)
  await page.getByRole('button', { name: 'Request change', exact: true }).click()
  await page.getByRole('link', { name: 'Open the request' }).waitFor()
}

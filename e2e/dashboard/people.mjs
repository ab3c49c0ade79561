import { dashboard, settle } from './support.mjs'

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

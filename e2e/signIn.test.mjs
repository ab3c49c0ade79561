import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertReadable, picture, watch } from './page.mjs'
import { launch, reasonToSkip, startApplication, startServer } from './support.mjs'

const skip = reasonToSkip()
const CHOSEN = 'seven herons over the mill'
const LONG = 'An application with a name that is about as long as names can be, and-one-word-that-is-very-long-too'

let browser
let server
let application

before(async () => {
  if (skip) return
  browser = await launch()
  server = await startServer()
  application = await startApplication()
})

after(async () => {
  await browser?.close()
  await application?.stop()
  await server?.stop()
})

/** Adds a user with a password set by an administrator. */
async function addPerson(name) {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const { password } = await server.post('/v1/organizations/current/users', { email, name })
  return { email, password }
}

/** Adds an application with sign-in; returns the URL where it starts. */
async function addApplication(body = {}, at = server) {
  const { redirectUri } = application
  const { clientId } = await at.post('/v1/organizations/current/clients', {
    name: 'Flag Board',
    isPublic: true,
    redirectUris: [redirectUri],
    ...body
  })
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email offline_access',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256'
  })
  return { clientId, verifier, start: `${at.url}/oauth/authorize?${query}` }
}

/** Opens a separate window. */
async function openWindow(t, options = {}) {
  const context = await browser.newContext(options)
  t.after(() => context.close())
  return context.newPage()
}

/** Waits until an element has the focus, which a page may give after it is loaded. */
function hasFocus(page, id) {
  return page.waitForFunction((expected) => document.activeElement?.id === expected, id)
}

/** Expects the application to have a code that it can exchange for an API token. */
async function assertSignedIn(page, { clientId, verifier }) {
  await page.waitForURL(/\/home\?/)
  assert.equal(await page.getByRole('heading').textContent(), 'Welcome back')
  const { searchParams } = new URL(page.url())
  assert.equal(searchParams.get('state'), 'the-state')
  assert.equal(searchParams.get('iss'), `${server.url}/`)
  const response = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: searchParams.get('code'),
      redirect_uri: application.redirectUri,
      code_verifier: verifier
    })
  })
  const { access_token } = await response.json()
  const answer = await fetch(`${server.url}/v1/projects`, { headers: { authorization: `Bearer ${access_token}` } })
  assert.equal(answer.status, 200)
}

test('a user signs in, chooses a password, consents and returns to the application', { skip }, async (t) => {
  const { email, password } = await addPerson('Ada Lovelace')
  const app = await addApplication()
  const page = await openWindow(t)
  const notes = watch(page)

  await page.goto(app.start)
  assert.equal(await page.title(), 'Sign in – Burgee')
  await hasFocus(page, 'email')
  await picture(page, '1-sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.equal((await page.getByRole('alert').textContent()).trim(), 'The e-mail address or the password is wrong.')
  assert.equal(await page.title(), 'Error: Sign in – Burgee')
  await hasFocus(page, 'password')
  const described = await page.getByLabel('Password').getAttribute('aria-describedby')
  assert.equal(await page.locator(`#${described}`).getAttribute('role'), 'alert')
  await picture(page, '2-wrong-password')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await picture(page, '3-new-password')
  await page.getByLabel('New password', { exact: true }).fill('password1234')
  await page.getByLabel('New password again').fill('password1234')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  assert.match(await page.getByRole('alert').textContent(), /^\s*The new password should not consist mostly of/)
  await picture(page, '4-weak-password')
  await page.getByLabel('New password', { exact: true }).fill(CHOSEN)
  await page.getByLabel('New password again').fill(CHOSEN)
  await page.getByRole('button', { name: 'Save and sign in' }).click()

  await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
  await picture(page, '5-consent')
  const elsewhere = notes.requests.filter((url) => !url.startsWith(server.url))
  assert.deepEqual(elsewhere, [], 'the pages load nothing from elsewhere')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await assertSignedIn(page, app)
  assert.deepEqual(notes.consoleErrors, [])
})

test('sign-in works with the keyboard alone', { skip }, async (t) => {
  const { email, password } = await addPerson('Grace Hopper')
  const app = await addApplication()
  const page = await openWindow(t)
  const typeInto = async (id, text) => {
    await hasFocus(page, id)
    const { outlineStyle, outlineWidth } = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
      return { outlineStyle, outlineWidth }
    })
    assert.deepEqual({ outlineStyle, outlineWidth }, { outlineStyle: 'solid', outlineWidth: '3px' })
    await page.keyboard.type(text)
  }
  await page.goto(app.start)
  await typeInto('email', email)
  await page.keyboard.press('Tab')
  await typeInto('password', password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await typeInto('new', CHOSEN)
  await page.keyboard.press('Tab')
  await typeInto('repeated', CHOSEN)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
  const reached = []
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate(() => document.activeElement.textContent))
  }
  assert.deepEqual(reached, ['Allow', 'Do not allow', 'Not Grace Hopper? Sign in as another person'])
  await picture(page, '6-focus')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await assertSignedIn(page, app)
})

test('every page is readable at 320 pixels, in light and in dark', { skip }, async (t) => {
  const person = await addPerson('Zoe with a rather long name')
  const app = await addApplication({ name: LONG, isAssistant: true, permissions: ['feature:read', 'feature:write'] })
  const page = await openWindow(t, { viewport: { width: 320, height: 640 } })
  const look = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await picture(page, `320-${colorScheme}-${name}`)
      await assertReadable(page, `${name}, ${colorScheme}`)
    }
  }
  await page.goto(app.start)
  await look('1-sign-in')
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await look('2-wrong-password')
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByLabel('New password again').fill('short')
  await look('3-new-password')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('alert').waitFor()
  await look('4-weak-password')
  await page.getByLabel('New password', { exact: true }).fill(CHOSEN)
  await page.getByLabel('New password again').fill(CHOSEN)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
  await look('5-consent')
  await page.getByRole('button', { name: 'Do not allow' }).click()
  await page.waitForURL(/error=access_denied/)
  await page.goto(`${server.url}/oauth/interactions/none`)
  await look('6-over')
  await page.goto(`${server.url}/oauth/authorize?client_id=unknown`)
  await look('7-unknown-application')
})

test('a user can sign in through an identity provider, and sees an error when it is down', { skip }, async (t) => {
  const elsewhere = await startServer({
    // Nothing listens there.
    BURGEE_OIDC_ISSUER: 'http://127.0.0.1:1',
    BURGEE_OIDC_CLIENT_ID: 'burgee',
    BURGEE_OIDC_CLIENT_SECRET: 'a-secret',
    BURGEE_OIDC_NAME: 'Example Login'
  })
  t.after(elsewhere.stop)
  const app = await addApplication({}, elsewhere)
  const page = await openWindow(t, { viewport: { width: 320, height: 640 } })
  await page.goto(app.start)
  await picture(page, '7-elsewhere')
  await assertReadable(page, 'signing in elsewhere')
  await page.getByRole('link', { name: 'Sign in with Example Login' }).click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await picture(page, '8-elsewhere-is-down')
  await assertReadable(page, 'elsewhere is down')
  await page.getByRole('link', { name: 'Back to signing in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertReadable, picture, watch } from './page.mjs'
import { findFreePort, launch, reasonToSkip, startServer } from './support.mjs'

const skip = reasonToSkip()
const CHOSEN = 'seven herons over the mill'

let browser
let server
let origin

before(async () => {
  if (skip) return
  browser = await launch()
  const port = await findFreePort()
  // Browsers bind passkeys to names, not to addresses.
  origin = `http://localhost:${port}`
  server = await startServer({ BURGEE_PUBLIC_URL: origin }, port)
})

after(async () => {
  await browser?.close()
  await server?.stop()
})

/** The windows in which each page is checked. The test continues in the last one. */
const looks = [
  ['dark', { colorScheme: 'dark' }, { width: 1100, height: 900 }],
  ['phone', { colorScheme: 'light' }, { width: 320, height: 640 }],
  ['light', { colorScheme: 'light' }, { width: 1100, height: 900 }]
]

test('a user adds an app and a passkey and signs in with both, on readable pages in light, dark and on a phone', {
  skip
}, async (t) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } })
  t.after(() => context.close())
  const page = await context.newPage()
  const notes = watch(page)
  await addVirtualAuthenticator(context, page)
  const look = async (title) => {
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    for (const [name, media, viewport] of looks) {
      await page.emulateMedia(media)
      await page.setViewportSize(viewport)
      await assertReadable(page, `${title}, ${name}`)
      await picture(page, `second-factor-${name}-${title.toLowerCase().replaceAll(' ', '-')}`)
    }
  }
  const press = (label) => page.getByRole('button', { name: label }).click()
  const follow = (label) => page.getByRole('link', { name: label }).click()

  const email = 'ada@example.com'
  const { password } = await server.post('/v1/organizations/current/users', { email, name: 'Ada' })
  const enterPassword = async (text) => {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(text)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto(`${origin}/oauth/account`)
  await look('Sign in')
  await enterPassword(password)
  await page.getByLabel('New password', { exact: true }).fill(CHOSEN)
  await page.getByLabel('New password again').fill(CHOSEN)
  await press('Save and sign in')

  await look('Your account')
  await press('Add an authenticator app')
  await look('Add an authenticator app')
  const secret = (await page.locator('.key').textContent()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeOf(secret, 0))
  await press('Continue')
  await look('Your recovery codes')
  await follow('I have stored them')

  await enterPassword(CHOSEN)
  await look('Second step')
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await press('Continue')
  assert.match(await page.getByRole('alert').textContent(), /The code is wrong/)
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
  await press('Continue')

  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await look('Add a passkey')
  await press('Add a passkey')
  await look('Your account')
  await page.getByText('Passkey', { exact: true }).first().waitFor()

  await context.clearCookies()
  await page.goto(`${origin}/oauth/account`)
  await follow('Sign in with a passkey')
  await look('Sign in with a passkey')
  await press('Use a passkey')
  await look('Your account')
  assert.deepEqual(notes.consoleErrors, [])
  assert.deepEqual(
    notes.requests.filter((url) => !url.startsWith(origin)),
    []
  )
})

/** Adds an authenticator to a page that verifies its user by itself. */
async function addVirtualAuthenticator(context, page) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
}

/**
 * Returns the code of a time step (RFC 6238), counted from the present one. The codes of the present and the next step
 * are still valid if a step ends before the server reads them.
 */
function codeOf(secret, offset) {
  const bits = [...secret].map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      .map((byte) => Number.parseInt(byte, 2))
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + offset))
  const hash = createHmac('sha1', key).update(counter).digest()
  const at = hash[19] & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

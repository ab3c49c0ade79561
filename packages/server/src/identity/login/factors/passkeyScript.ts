/**
 * The script of the pages that use or add a passkey. Browsers that lack `parseRequestOptionsFromJSON` cannot use
 * passkeys here; all current ones have it.
 */
export const PASSKEY_SCRIPT = `'use strict'
const field = document.querySelector('input[data-options]')
const problem = document.getElementById('passkey-problem')
const isNew = field.dataset.action === 'create'
const show = (text) => {
  problem.textContent = text
  problem.hidden = false
}
const request = (options) => isNew
  ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
field.form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    return show('This browser cannot use passkeys here. Update it, or go back.')
  }
  try {
    const credential = await request(JSON.parse(field.dataset.options))
    field.value = JSON.stringify(credential.toJSON())
    field.form.submit()
  } catch {
    show(isNew ? 'No passkey was added. Try again, or go back.' : 'No passkey was used. Try again, or go back.')
  }
})
`

/**
 * The script of the passkey page. Browsers that lack `parseRequestOptionsFromJSON` cannot use passkeys here; all
 * current ones have it.
 */
export const PASSKEY_SCRIPT = `'use strict'
const field = document.querySelector('input[data-options]')
const problem = document.getElementById('passkey-problem')
const show = (text) => {
  problem.textContent = text
  problem.hidden = false
}
field.form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    return show('This browser cannot use passkeys here. Update it, or sign in another way.')
  }
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(field.dataset.options))
    const credential = await navigator.credentials.get({ publicKey })
    field.value = JSON.stringify(credential.toJSON())
    field.form.submit()
  } catch {
    show('No passkey was used. Try again, or sign in another way.')
  }
})
`

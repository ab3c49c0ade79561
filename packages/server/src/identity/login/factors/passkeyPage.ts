import { html } from '../../../lib/html.ts'
import { type FormTarget, renderForm } from '../pages/form.ts'
import { renderPage } from '../pages/page.ts'
import { codeFields } from './codePage.ts'

/** The content of the page that signs in by passkey. */
export interface PasskeyPageContent {
  /** The options for `navigator.credentials.get`. */
  readonly options: object
  readonly signIn: FormTarget
  /** The ticket that proves the first step; empty if the passkey is the only step. */
  readonly ticket: string
  /** The address of the script. */
  readonly script: string
  /** The address of the login page. */
  readonly back: string
  readonly problems?: readonly string[]
}

/** The name of the field with the response of the passkey. */
export const CREDENTIAL_FIELD = 'credential'

/** Renders the page that signs in by passkey: the only one with a script. */
export function renderPasskeyPage({
  options,
  signIn,
  ticket,
  script,
  back,
  problems = []
}: PasskeyPageContent): string {
  const body = html`<p class="soft">Your device asks for your fingerprint, face, PIN or security key.</p>
<div class="problem" role="alert" id="passkey-problem" hidden></div>
<noscript><p class="care">Passkeys need JavaScript. Enable it, or sign in another way.</p></noscript>
${renderForm(
  signIn,
  html`${ticket !== '' && html`<input type="hidden" name="${codeFields.ticket}" value="${ticket}">\n`}<input type="hidden" name="${CREDENTIAL_FIELD}" value="" data-options="${JSON.stringify(options)}">
<button class="button" type="submit" autofocus>Use a passkey</button>`
)}
<p><a class="button plain" href="${back}">Sign in another way</a></p>`
  return renderPage({
    title: 'Sign in with a passkey',
    head: html`<script src="${script}" defer></script>`,
    body,
    problems
  })
}

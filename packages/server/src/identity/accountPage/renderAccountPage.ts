import type { SecondFactor, SecondFactors } from '@burgee/contract/schemas'
import { html } from '../../lib/html.ts'
import { type FormTarget, renderButton, renderForm } from '../login/pages/form.ts'
import { invalidFieldAttributes, renderPage } from '../login/pages/page.ts'

/** Returns the target of an action of the account page. */
export type ActionTarget = (action: string) => FormTarget

/** The names of the fields of the account page. */
export const accountFields = { factor: 'factor', code: 'code', credential: 'credential' } as const

/** The content of the account page. */
export interface AccountPageContent extends SecondFactors {
  readonly email: string
  readonly target: ActionTarget
  /** The address of the page that adds a passkey. */
  readonly passkey: string
  readonly problems?: readonly string[]
}

/** Renders the second factors of a person, with the forms that change them. */
export function renderAccountPage(content: AccountPageContent): string {
  const { email, factors, unusedRecoveryCodes, isRequired, target, passkey, problems = [] } = content
  const remove = target('remove')
  const body = html`<p class="soft">Signed in as <b><bdi>${email}</bdi></b></p>
<p>${isRequired ? 'Your organization requires' : 'You can add'} a second step to your sign-in.</p>
${factors.map((factor) => {
  const field = html`<input type="hidden" name="${accountFields.factor}" value="${factor._id}">`
  const button = html`<button class="link" type="submit">Remove <bdi>${factor.name}</bdi></button>`
  return html`<dl><dt>${kindOf(factor)}</dt><dd><bdi>${factor.name}</bdi>, since ${factor.createdAt.slice(0, 10)}</dd></dl>
${renderForm(remove, [field, button])}\n`
})}
<a class="button" href="${passkey}">Add a passkey</a>
${renderButton(target('app'), html`Add an authenticator app`, 'button plain')}
${
  factors.length > 0 &&
  html`<h2>Recovery codes</h2>
<p class="soft">${unusedRecoveryCodes} unused. Each can be used once instead of a second factor.</p>
${renderButton(target('codes'), html`Replace the recovery codes`, 'button plain')}`
}`
  return renderPage({ title: 'Your account', body, problems })
}

/** The content of the page that adds an authenticator app. */
export interface AddAppPageContent {
  readonly secret: string
  readonly uri: string
  readonly confirm: FormTarget
  readonly back: string
  readonly problems?: readonly string[]
}

/** Renders the page that adds an authenticator app. */
export function renderAddAppPage({ secret, uri, confirm, back, problems = [] }: AddAppPageContent): string {
  const body = html`<p><a class="button plain" href="${uri}">Open the authenticator app</a></p>
<dl><dt>Or enter this key in the app</dt><dd class="key">${secret.replace(/.{4}(?=.)/g, '$& ')}</dd></dl>
${renderForm(
  confirm,
  html`<label for="code">Code that the app shows</label>
<input id="code" name="${accountFields.code}" type="text" inputmode="numeric" autocomplete="one-time-code" required maxlength="100" autofocus${problems.length > 0 && invalidFieldAttributes}>
<button class="button" type="submit">Continue</button>`
)}
<p><a class="button plain" href="${back}">Back</a></p>`
  return renderPage({ title: 'Add an authenticator app', body, problems })
}

/** The content of the page that adds a passkey. */
export interface AddPasskeyPageContent {
  /** The options for `navigator.credentials.create`. */
  readonly options: object
  readonly add: FormTarget
  /** The address of the script. */
  readonly script: string
  readonly back: string
}

/** Renders the page that adds a passkey. It has a script. */
export function renderAddPasskeyPage({ options, add, script, back }: AddPasskeyPageContent): string {
  const body = html`<p class="soft">Your device asks for your fingerprint, face, PIN or security key.</p>
<div class="problem" role="alert" id="passkey-problem" hidden></div>
<noscript><p class="care">Passkeys need JavaScript.</p></noscript>
${renderForm(
  add,
  html`<input type="hidden" name="${accountFields.credential}" value="" data-action="create" data-options="${JSON.stringify(options)}">
<button class="button" type="submit" autofocus>Add a passkey</button>`
)}
<p><a class="button plain" href="${back}">Back</a></p>`
  return renderPage({ title: 'Add a passkey', head: html`<script src="${script}" defer></script>`, body })
}

/** Renders the page that shows new recovery codes. */
export function renderCodesPage(codes: readonly string[], back: string): string {
  const body = html`<p>Each code can be used once instead of a second factor. Store the codes in a safe place: they are not shown again.</p>
<ul class="codes">
${codes.map((code) => html`<li>${code}</li>\n`)}</ul>
<p><a class="button" href="${back}">I have stored them</a></p>`
  return renderPage({ title: 'Your recovery codes', body })
}

function kindOf({ type }: SecondFactor): string {
  return type === 'passkey' ? 'Passkey' : 'Authenticator app'
}

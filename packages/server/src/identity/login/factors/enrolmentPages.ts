import { html } from '../../../lib/html.ts'
import { type FormTarget, renderButton, renderForm } from '../pages/form.ts'
import { invalidFieldAttributes, renderPage } from '../pages/page.ts'
import { codeFields } from './codePage.ts'

/** The content of the page on which a person adds an authenticator app while signing in. */
export interface AppEnrolmentPageContent {
  readonly ticket: string
  /** The key in Base32. */
  readonly secret: string
  /** The key as an `otpauth` URI. */
  readonly uri: string
  readonly enrol: FormTarget
  readonly abort: FormTarget
  readonly problems?: readonly string[]
}

/** Renders the page on which a person adds an authenticator app. */
export function renderAppEnrolmentPage(content: AppEnrolmentPageContent): string {
  const { ticket, secret, uri, enrol, abort, problems = [] } = content
  const body = html`<p>Your organization requires a second step after the password. Add Burgee to an authenticator app on your phone or computer.</p>
<p><a class="button plain" href="${uri}">Open the authenticator app</a></p>
<dl><dt>Or enter this key in the app</dt><dd class="key">${secret.replace(/.{4}(?=.)/g, '$& ')}</dd></dl>
${renderForm(
  enrol,
  html`<input type="hidden" name="${codeFields.ticket}" value="${ticket}">
<label for="code">Code that the app shows</label>
<input id="code" name="${codeFields.code}" type="text" inputmode="numeric" autocomplete="one-time-code" required maxlength="100" autofocus${problems.length > 0 && invalidFieldAttributes}>
<button class="button" type="submit">Continue</button>`
)}
${renderButton(abort, html`Cancel and go back`, 'button plain')}`
  return renderPage({ title: 'Add a second step', body, problems })
}

/** The content of the page that shows new recovery codes. */
export interface RecoveryCodesPageContent {
  readonly ticket: string
  readonly recoveryCodes: readonly string[]
  readonly enrolled: FormTarget
}

/** Renders the page that shows recovery codes once. */
export function renderRecoveryCodesPage({ ticket, recoveryCodes, enrolled }: RecoveryCodesPageContent): string {
  const body = html`<p>If you lose the app, each code can be used once instead. Store the codes in a safe place: they are not shown again.</p>
<ul class="codes">
${recoveryCodes.map((code) => html`<li>${code}</li>\n`)}</ul>
${renderForm(
  enrolled,
  html`<input type="hidden" name="${codeFields.ticket}" value="${ticket}">
<button class="button" type="submit">I have stored them</button>`
)}`
  return renderPage({ title: 'Your recovery codes', body })
}

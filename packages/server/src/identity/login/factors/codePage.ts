import { html } from '../../../lib/html.ts'
import { type FormTarget, renderButton, renderForm } from '../pages/form.ts'
import { invalidFieldAttributes, renderPage } from '../pages/page.ts'

/** The content of the page that asks for a code after the password. */
export interface CodePageContent {
  readonly email: string
  /** The ticket that proves the first step. */
  readonly ticket: string
  readonly code: FormTarget
  readonly abort: FormTarget
  /** The form that goes to the passkey page, if the person has a passkey. */
  readonly passkey?: FormTarget | undefined
  readonly hasApp: boolean
  readonly problems?: readonly string[]
}

/** The field names of the pages of the second step. */
export const codeFields = { ticket: 'ticket', code: 'code' } as const

/** Renders the page that asks for the code of an authenticator app, or for a recovery code. */
export function renderCodePage({
  email,
  ticket,
  code,
  abort,
  passkey,
  hasApp,
  problems = []
}: CodePageContent): string {
  const label = hasApp ? 'Code of your authenticator app' : 'Recovery code'
  const body = html`<p class="soft">to finish signing in as <b><bdi>${email}</bdi></b></p>
${
  passkey &&
  renderForm(
    passkey,
    html`<input type="hidden" name="${codeFields.ticket}" value="${ticket}">
<button class="button${hasApp && ' plain'}" type="submit">Use a passkey</button>`
  )
}
${renderForm(
  code,
  html`<input type="hidden" name="${codeFields.ticket}" value="${ticket}">
<label for="code">${label}</label>
<input id="code" name="${codeFields.code}" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="100" autofocus${problems.length > 0 && invalidFieldAttributes}>
${hasApp && html`<p class="hint">Without the app, enter one of your recovery codes.</p>\n`}
<button class="button" type="submit">Continue</button>`
)}
${renderButton(abort, html`Cancel and go back`, 'button plain')}`
  return renderPage({ title: 'Second step', body, problems })
}

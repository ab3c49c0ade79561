import { MIN_PASSWORD_LENGTH } from '@burgee/contract/schemas'
import { html } from '../../../lib/html.ts'
import { type FormTarget, renderButton, renderForm } from './form.ts'
import { PROBLEM_ID, renderPage } from './page.ts'

/** The content of the page for a new password. */
export interface NewPasswordPageContent {
  readonly email: string
  /** The ticket for replacing the temporary password. */
  readonly ticket: string
  readonly password: FormTarget
  readonly abort: FormTarget
  readonly problems?: readonly string[]
}

/** The field names of the page. */
export const newPasswordFields = { ticket: 'ticket', password: 'new-password', repeated: 'repeated-password' } as const

/** Renders the page that asks for a new password. */
export function renderNewPasswordPage({
  email,
  ticket,
  password,
  abort,
  problems = []
}: NewPasswordPageContent): string {
  const isWrong = problems.length > 0
  const described = (id: string) => {
    return html` aria-describedby="${isWrong && `${PROBLEM_ID} `}${id}"${isWrong && html` aria-invalid="true"`}`
  }
  const body = html`<p class="soft">The password of <bdi>${email}</bdi> was set by another person. Choose one that only you know.</p>
${renderForm(
  password,
  html`<input type="hidden" name="${newPasswordFields.ticket}" value="${ticket}">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
<label for="new">New password</label>
<input id="new" name="${newPasswordFields.password}" type="password" autocomplete="new-password" required autofocus${described('policy')}>
<ul class="hint" id="policy">
<li>At least ${MIN_PASSWORD_LENGTH} characters; a phrase of several words works well.</li>
<li>Not a common password.</li>
<li>Not your name or address, and not the password you have now.</li>
</ul>
<label for="repeated">New password again</label>
<input id="repeated" name="${newPasswordFields.repeated}" type="password" autocomplete="new-password" required${isWrong && html` aria-invalid="true" aria-describedby="${PROBLEM_ID}"`}>
<button class="button" type="submit">Save and sign in</button>`
)}
${renderButton(abort, html`Cancel and go back`, 'button plain')}`
  return renderPage({ title: 'Choose a new password', body, problems })
}

import { type Html, type HtmlValue, html } from '../../../lib/html.ts'
import { type FormTarget, renderButton, renderForm } from './form.ts'
import { invalidFieldAttributes, renderPage } from './page.ts'

/** The content of the login page. */
export interface LoginPageContent {
  /** The application that requested the login. */
  readonly clientName: string
  /** The form for a password; absent while passwords are disabled. */
  readonly login?: FormTarget | undefined
  readonly abort: FormTarget
  /** The upstream login, if configured. */
  readonly provider?: { readonly name: string; readonly address: string } | undefined
  /** The address of the passkey page. */
  readonly passkey: string
  /** The initial value of the e-mail field. */
  readonly email: string
  /** How a person gets in who has no account yet, in states of the server where that is to be expected. */
  readonly hint: LoginHint | undefined
  readonly problems?: readonly string[]
}

/** `demoLink`: the demo's link signs in; `demoPassword`: its people need a password first; `nobody`: nobody exists. */
export type LoginHint = 'demoLink' | 'demoPassword' | 'nobody'

const hints: Readonly<Record<LoginHint, Html>> = {
  demoLink: html`First time on this demo? Open the one-time link that the server printed in its terminal. A restart prints a new one.`,
  demoPassword: html`The one-time link of this demo signs in to the dashboard only. Add yourself there, in Organization → People: it shows a password for your first sign-in.`,
  nobody: html`Nobody has an account yet. Stop the server, and add the first person on its machine: <code>burgee-server users add you@example.com</code> prints a password for the first sign-in.`
}

/** Renders the login page. */
export function renderLoginPage({
  clientName,
  login,
  abort,
  provider,
  passkey,
  email,
  hint,
  problems = []
}: LoginPageContent): string {
  const invalid = problems.length > 0 && invalidFieldAttributes
  const field = (autofocus: boolean): HtmlValue => [invalid, autofocus && html` autofocus`]
  const body = html`<p class="soft">to continue to <b><bdi>${clientName}</bdi></b></p>
${hint && html`<p class="hint">${hints[hint]}</p>\n`}
${
  login &&
  renderForm(
    login,
    html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${field(email === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${field(email !== '')}>
<button class="button" type="submit">Sign in</button>`
  )
}
${login && html`<p class="or">or</p>\n`}
${provider && html`<a class="button plain" href="${provider.address}">Sign in with <bdi>${provider.name}</bdi></a>\n`}
<a class="button plain" href="${passkey}">Sign in with a passkey</a>
${renderButton(abort, html`Cancel and go back`, 'button plain')}`
  return renderPage({ title: 'Sign in', body, problems })
}

import { type FormTarget, renderButton, renderForm } from './form.ts'
import { type HtmlValue, html } from './html.ts'
import { invalidFieldAttributes, renderPage } from './page.ts'

/** What the page for signing in shows. */
export interface LoginPageContent {
  /** The application that people sign in for. */
  readonly clientName: string
  readonly login: FormTarget
  readonly abort: FormTarget
  /** Where else people can sign in. */
  readonly provider?: { readonly name: string; readonly address: string } | undefined
  /** What is in the field already. */
  readonly email: string
  readonly problems?: readonly string[]
}

/** The page that asks who somebody is. */
export function renderLoginPage({
  clientName,
  login,
  abort,
  provider,
  email,
  problems = []
}: LoginPageContent): string {
  const mistaken = problems.length > 0 && invalidFieldAttributes
  const field = (autofocus: boolean): HtmlValue => [mistaken, autofocus && html` autofocus`]
  const body = html`<p class="soft">to go on to <b><bdi>${clientName}</bdi></b></p>
${renderForm(
  login,
  html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${field(email === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${field(email !== '')}>
<button class="button" type="submit">Sign in</button>`
)}
${
  provider &&
  html`<p class="or">or</p>
<a class="button plain" href="${provider.address}">Sign in with <bdi>${provider.name}</bdi></a>`
}
${renderButton(abort, html`Cancel and go back`, 'button plain')}`
  return renderPage({ title: 'Sign in', body, problems })
}

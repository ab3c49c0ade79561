import { button, form, type Target } from './form.ts'
import { html, type Part } from './html.ts'
import { page, wrong } from './page.ts'

/** What the page for signing in shows. */
export interface SignIn {
  /** The application that people sign in for. */
  readonly clientName: string
  readonly login: Target
  readonly abort: Target
  /** Where else people can sign in. */
  readonly elsewhere?: { readonly name: string; readonly address: string } | undefined
  /** What is in the field already. */
  readonly email: string
  readonly problems?: readonly string[]
}

/** The page that asks who somebody is. */
export function signInPage({ clientName, login, abort, elsewhere, email, problems = [] }: SignIn): string {
  const mistaken = problems.length > 0 && wrong
  const field = (autofocus: boolean): Part => [mistaken, autofocus && html` autofocus`]
  const body = html`<p class="soft">to go on to <b><bdi>${clientName}</bdi></b></p>
${form(
  login,
  html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${field(email === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${field(email !== '')}>
<button class="button" type="submit">Sign in</button>`
)}
${
  elsewhere &&
  html`<p class="or">or</p>
<a class="button plain" href="${elsewhere.address}">Sign in with <bdi>${elsewhere.name}</bdi></a>`
}
${button(abort, html`Cancel and go back`, 'button plain')}`
  return page({ title: 'Sign in', body, problems })
}

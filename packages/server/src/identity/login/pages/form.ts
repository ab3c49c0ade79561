import { type Html, type HtmlValue, html } from '../../../lib/html.ts'

/** The target of a form, and its token. */
export interface FormTarget {
  readonly action: string
  readonly csrfToken: string
}

/** The name of the token field. */
export const CSRF_FIELD = 'csrf'

/** Renders a form with its token. */
export function renderForm({ action, csrfToken }: FormTarget, body: HtmlValue): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
${body}
</form>`
}

/** Renders a form that consists of one button. */
export function renderButton(target: FormTarget, label: HtmlValue, kind = 'button'): Html {
  return renderForm(target, html`<button class="${kind}" type="submit">${label}</button>`)
}

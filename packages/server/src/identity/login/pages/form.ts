import { type Html, type HtmlValue, html } from './html.ts'

/** Where a form goes, and what proves that it was made here. */
export interface FormTarget {
  readonly action: string
  readonly csrfToken: string
}

/** The name of the field with the proof. */
export const CSRF_FIELD = 'csrf'

/** A form that this server takes back. */
export function renderForm({ action, csrfToken }: FormTarget, body: HtmlValue): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">
${body}
</form>`
}

/** A form that is one button. */
export function renderButton(target: FormTarget, label: HtmlValue, kind = 'button'): Html {
  return renderForm(target, html`<button class="${kind}" type="submit">${label}</button>`)
}

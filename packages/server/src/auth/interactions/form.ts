import { type Html, html, type Part } from './html.ts'

/** Where a form goes, and what proves that it was made here. */
export interface Target {
  readonly action: string
  readonly mark: string
}

/** The name of the field with the proof. */
export const MARK = 'csrf'

/** A form that this server takes back. */
export function form({ action, mark }: Target, body: Part): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${MARK}" value="${mark}">
${body}
</form>`
}

/** A form that is one button. */
export function button(target: Target, label: Part, kind = 'button'): Html {
  return form(target, html`<button class="${kind}" type="submit">${label}</button>`)
}

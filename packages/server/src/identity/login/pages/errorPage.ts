import { html } from './html.ts'
import { renderPage } from './page.ts'

/** What a page about a failure tells. */
export interface ErrorPageContent {
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly message: string
  /** What those need to know who help: the kind of failure, and the request it is in the log by. */
  readonly detail?: string | undefined
  readonly requestId: string
  /** Where to go on. */
  readonly next?: { readonly address: string; readonly label: string } | undefined
}

/** The page that says why it does not go on. */
export function renderErrorPage({ title, message, detail, requestId, next }: ErrorPageContent): string {
  const body = html`<p role="alert">${message}</p>
${next && html`<p><a class="button" href="${next.address}">${next.label}</a></p>`}
<p class="hint">${detail !== undefined && html`${detail}<br>`}Request ${requestId}</p>`
  return renderPage({ title, body })
}

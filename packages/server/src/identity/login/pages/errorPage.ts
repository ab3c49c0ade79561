import { html } from '../../../lib/html.ts'
import { renderPage } from './page.ts'

/** The content of an error page. */
export interface ErrorPageContent {
  readonly title: string
  /** What happened and what to do, in sentences. */
  readonly message: string
  /** Information for support: the kind of error, and the request id in the log. */
  readonly detail?: string | undefined
  readonly requestId: string
  /** The link to continue. */
  readonly next?: { readonly address: string; readonly label: string } | undefined
}

/** Renders an error page. */
export function renderErrorPage({ title, message, detail, requestId, next }: ErrorPageContent): string {
  const body = html`<p role="alert">${message}</p>
${next && html`<p><a class="button" href="${next.address}">${next.label}</a></p>`}
<p class="hint">${detail !== undefined && html`${detail}<br>`}Request ${requestId}</p>`
  return renderPage({ title, body })
}

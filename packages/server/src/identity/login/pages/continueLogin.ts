import type { Context } from 'koa'
import { html } from '../../../lib/html.ts'
import { renderPage } from './page.ts'

/**
 * Continues after a form. Browsers apply the `form-action` policy of the page to all redirects that follow, including
 * those of the application to unknown origins. So the response to a form is a page that redirects with a `refresh`
 * header.
 */
export function continueLogin(ctx: Context, address: string): void {
  if (ctx.get('sec-fetch-dest') !== 'document') {
    ctx.status = 303
    ctx.redirect(address)
    return
  }
  ctx.type = 'html'
  ctx.body = renderPage({
    title: 'One moment',
    head: html`<meta http-equiv="refresh" content="0;url=${address}">`,
    body: html`<p>You are being redirected to the application.</p>
<p><a class="button" href="${address}">Continue</a></p>`
  })
}

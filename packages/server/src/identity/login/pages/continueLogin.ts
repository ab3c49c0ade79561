import type { Context } from 'koa'
import { html } from './html.ts'
import { renderPage } from './page.ts'

/**
 * Sends somebody on who is done here. Browsers hold every redirect after a form against the policy of its page, also
 * those that the application makes in the end, to places nobody here knows of. So with browsers the way of the form ends
 * at a page, which goes on by itself.
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
    body: html`<p>You are on your way back to the application.</p>
<p><a class="button" href="${address}">Go on</a></p>`
  })
}

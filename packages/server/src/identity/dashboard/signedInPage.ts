import { html } from '../../lib/html.ts'
import { renderPage } from '../login/pages/page.ts'

/** The name of the channel on which a popup reports its sign-in to the tabs of the dashboard. */
const CHANNEL = 'burgee-dashboard'

/**
 * The script of the page that ends a sign-in in a popup. It uses a channel because the sign-in pages sever
 * `window.opener`.
 */
export const SIGNED_IN_SCRIPT = `'use strict'
const channel = new BroadcastChannel('${CHANNEL}')
channel.postMessage({ type: 'signed-in' })
channel.close()
window.close()
`

/** Renders the page that ends a sign-in in a popup. */
export function renderSignedInPage(script: string): string {
  return renderPage({
    title: 'You are signed in',
    head: html`<script src="${script}" defer></script>`,
    body: html`<p>You can close this window and continue in the dashboard.</p>`
  })
}

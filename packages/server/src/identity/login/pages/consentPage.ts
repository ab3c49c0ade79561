import type { Permission } from '@burgee/contract'
import { isLoopback } from '../../../lib/net.ts'
import { isClientDocumentUrl } from '../../registration/isClientDocumentUrl.ts'
import { type FormTarget, renderButton } from './form.ts'
import { type Html, html } from './html.ts'
import { renderPage } from './page.ts'
import { permissionLabels } from './permissionLabels.ts'

/** The content of the consent page. */
export interface ConsentPageContent {
  readonly client: {
    readonly clientId: string
    readonly name: string
    readonly isAssistant: boolean
    /** Whether the application registered itself or is described by its own metadata document. */
    readonly isDynamic: boolean
  }
  readonly person: { readonly name: string; readonly email: string }
  /** The permissions that the application requests; all of the person's permissions if omitted. */
  readonly permissions?: readonly Permission[] | undefined
  readonly scopes: readonly string[]
  /** Where the form is posted. */
  readonly redirectUri: string
  readonly allow: FormTarget
  readonly abort: FormTarget
  /** The action that signs the person out, so that another can sign in. */
  readonly change: FormTarget
}

/** Renders the page that asks for consent. */
export function renderConsentPage(consent: ConsentPageContent): string {
  const { client, person, permissions, scopes, redirectUri, allow, abort, change } = consent
  const name = html`<b><bdi>${client.name}</bdi></b>`
  const body = html`<p>${name} wants to act in Burgee for you, <b><bdi>${person.name}</bdi></b> (<bdi>${person.email}</bdi>).</p>
${client.isDynamic && stranger(client.clientId, redirectUri)}
${client.isAssistant && assistant}
<h2>It will be able to</h2>
<ul>
${abilities(permissions, scopes).map((ability) => html`<li>${ability}</li>\n`)}</ul>
<dl><dt>The answer goes to</dt><dd><bdi>${placeOf(redirectUri)}</bdi></dd></dl>
${renderButton(allow, html`Allow`)}
${renderButton(abort, html`Do not allow`, 'button plain')}
${renderButton(change, html`You are not <bdi>${person.name}</bdi>? Sign in as somebody else`, 'link')}`
  return renderPage({ title: 'Allow access?', body })
}

const assistant = html`<div class="care"><p><b>This is an assistant.</b> What it does for you is recorded as done by an assistant in your name.</p></div>`

function stranger(clientId: string, redirectUri: string): Html {
  const origin = isClientDocumentUrl(clientId)
    ? html`describes itself at <bdi>${new URL(clientId).host}</bdi>`
    : html`registered itself`
  return html`<div class="care"><p><b>This application ${origin}.</b> Nobody has checked that its name is true.
Allow it only if you have just started it yourself and know <bdi>${placeOf(redirectUri)}</bdi>.</p></div>`
}

function abilities(permissions: readonly Permission[] | undefined, scopes: readonly string[]): readonly string[] {
  const words = permissions?.map((permission) => permissionLabels[permission])
  return [
    ...(words ? words.map((word) => `${word}, as far as you may`) : ['do everything in Burgee that you may do']),
    ...(scopes.includes('profile') || scopes.includes('email') ? ['see your name and e-mail address'] : []),
    // Every application with sign-in can refresh its tokens.
    'go on when you are away, until its access is taken back'
  ]
}

/** Describes the target of a redirect: a host, this computer, or an application. */
function placeOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') return `an application on this device (${protocol.slice(0, -1)})`
  return isLoopback(hostname) ? `a program on this computer (${host})` : host
}

import type { Permission } from '@burgee/contract'
import { permissionWords } from '@burgee/contract/access'
import { type Html, html } from '../../../lib/html.ts'
import { isLoopback } from '../../../lib/network.ts'
import { isClientDocumentUrl } from '../../registration/isClientDocumentUrl.ts'
import { type FormTarget, renderButton } from './form.ts'
import { renderPage } from './page.ts'

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
  /** The redirect URI of the application. Absent if it signs in by a device code. */
  readonly redirectUri: string | undefined
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
${client.isDynamic && unverifiedClientNote(client.clientId, redirectUri)}
${client.isAssistant && ASSISTANT_NOTE}
<h2>It will be able to</h2>
<ul>
${abilities(permissions, scopes).map((ability) => html`<li>${ability}</li>\n`)}</ul>
${redirectUri !== undefined && html`<dl><dt>You will be redirected to</dt><dd><bdi>${describeTarget(redirectUri)}</bdi></dd></dl>\n`}${renderButton(allow, html`Allow`)}
${renderButton(abort, html`Do not allow`, 'button plain')}
${renderButton(change, html`Not <bdi>${person.name}</bdi>? Sign in as another person`, 'link')}`
  return renderPage({ title: 'Allow access?', body })
}

const ASSISTANT_NOTE = html`<div class="care"><p><b>This is an assistant.</b> Its actions are recorded as those of an assistant that acts for you.</p></div>`

function unverifiedClientNote(clientId: string, redirectUri: string | undefined): Html {
  const origin = isClientDocumentUrl(clientId)
    ? html`describes itself at <bdi>${new URL(clientId).host}</bdi>`
    : html`registered itself`
  return html`<div class="care"><p><b>This application ${origin}.</b> Its name has not been verified.
Allow it only if you have just started it yourself${redirectUri !== undefined && html` and know <bdi>${describeTarget(redirectUri)}</bdi>`}.</p></div>`
}

function abilities(permissions: readonly Permission[] | undefined, scopes: readonly string[]): readonly string[] {
  const words = permissions?.map((permission) => permissionWords[permission])
  return [
    ...(words
      ? words.map((word) => `${word}, within your own permissions`)
      : ['do everything in Burgee that you can do']),
    ...(scopes.includes('profile') || scopes.includes('email') ? ['see your name and e-mail address'] : []),
    // Every application with sign-in can refresh its tokens.
    'keep its access while you are away, until it is revoked'
  ]
}

/** Describes the target of a redirect: a host, this computer, or an application. */
function describeTarget(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') return `an application on this device (${protocol.slice(0, -1)})`
  return isLoopback(hostname) ? `a program on this computer (${host})` : host
}

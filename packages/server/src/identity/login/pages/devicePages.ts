import { html } from '../../../lib/html.ts'
import { type FormTarget, renderForm } from './form.ts'
import { invalidFieldAttributes, renderPage } from './page.ts'

/** The field names of the pages, as `oidc-provider` defines them. */
export const deviceFields = { userCode: 'user_code', confirm: 'confirm', abort: 'abort' } as const

/** The content of the page that asks for the code of a device. */
export interface UserCodePageContent {
  readonly enter: FormTarget
  /** The initial value of the field. */
  readonly userCode: string
  readonly problems?: readonly string[]
}

/** Renders the page that asks for the code of a device. */
export function renderUserCodePage({ enter, userCode, problems = [] }: UserCodePageContent): string {
  const body = html`<p class="soft">Enter the code that the program shows.</p>
${renderForm(
  enter,
  html`<label for="code">Code</label>
<input class="key" id="code" name="${deviceFields.userCode}" value="${userCode}" placeholder="ABCD-EFGH" required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus${problems.length > 0 && invalidFieldAttributes}>
<button class="button" type="submit">Continue</button>`
)}`
  return renderPage({ title: 'Sign in a program', body, problems })
}

/** The content of the page that asks whether the person started the sign-in of a device. */
export interface DeviceConfirmationContent {
  readonly target: FormTarget
  readonly clientName: string
  /** The code as the program shows it. */
  readonly userCode: string
  /** The name of the computer, as the program reports it. */
  readonly deviceName: string
  /** The network address of the program. */
  readonly address: string
}

/** Renders the page that asks whether the person started the sign-in of a device. */
export function renderDeviceConfirmation(content: DeviceConfirmationContent): string {
  const { target, clientName, userCode, deviceName, address } = content
  const answer = (name: string, label: string, kind: string) =>
    renderForm(
      target,
      html`<input type="hidden" name="${deviceFields.userCode}" value="${userCode}">
<input type="hidden" name="${name}" value="yes">
<button class="${kind}" type="submit">${label}</button>`
    )
  const body = html`<p>This program asks to sign in to Burgee as you.</p>
<dl>
<dt>Program</dt><dd><bdi>${clientName}</bdi></dd>
${deviceName !== '' && html`<dt>Computer, as the program reports it</dt><dd><bdi>${deviceName}</bdi></dd>\n`}<dt>Network address</dt><dd><bdi>${address}</bdi></dd>
<dt>Code, as the program shows it</dt><dd class="key">${userCode}</dd>
</dl>
<div class="care"><p><b>Only continue if you started this.</b> If another person sent you the code or the link, that person would act as you.</p></div>
${answer(deviceFields.confirm, 'Continue', 'button')}
${answer(deviceFields.abort, 'Cancel', 'button plain')}`
  return renderPage({ title: 'Did you start this?', body })
}

/** Renders the page for the end of the sign-in of a device. */
export function renderDeviceSuccess(clientName: string): string {
  return renderPage({
    title: 'You are signed in',
    body: html`<p><b><bdi>${clientName}</bdi></b> continues by itself. You can close this page.</p>`
  })
}

/** Renders the page after the person declined. */
export function renderDeviceCancelled(): string {
  return renderPage({
    title: 'The sign-in was cancelled',
    body: html`<p>The program gets no access. You can close this page.</p>`
  })
}

import { omitUndefined } from '@burgee/kit'
import { sanitizeLine } from '@burgee/kit/text'
import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import {
  renderDeviceCancelled,
  renderDeviceConfirmation,
  renderDeviceSuccess,
  renderUserCodePage
} from '../login/pages/devicePages.ts'
import { showPage } from '../login/pages/page.ts'
import { renderOidcError } from '../login/pages/renderFailure.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** The sign-in of programs without a browser (RFC 8628), with the pages of this server. */
export function createDeviceFlow(publicUrl: string): DeviceFlow {
  const targetOf = (ctx: KoaContextWithOIDC) => ({
    action: toPublicPath(publicUrl, paths.device),
    csrfToken: csrfTokenOf(ctx)
  })
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: ({ ip, state }) => ({ address: ip, name: state.deviceName ?? '' }),
    userCodeInputSource: async (ctx, _form, out, error) => {
      if (error?.name === 'AbortedError') return showPage(ctx, renderDeviceCancelled())
      const problem = error && problems[error.name]
      if (out && problem === undefined) {
        const isForeignForm = FOREIGN_FORM.test(out.error_description ?? '')
        const description = isForeignForm ? 'the form does not belong to the session of this browser' : undefined
        return renderOidcError(ctx, omitUndefined({ ...out, error_description: description ?? out.error_description }))
      }
      if (problem !== undefined) ctx.status = 422
      const userCode = ctx.state.userCode ?? ''
      showPage(ctx, renderUserCodePage({ enter: targetOf(ctx), userCode, problems: problem ? [problem] : [] }))
    },
    userCodeConfirmSource: async (ctx, _form, client, device, userCode) => {
      const { name, address } = device as ReturnType<NonNullable<DeviceFlow['deviceInfo']>>
      showPage(
        ctx,
        renderDeviceConfirmation({
          target: targetOf(ctx),
          clientName: toDisplayName(client),
          userCode,
          deviceName: String(name),
          address: String(address)
        })
      )
    },
    successSource: async (ctx) => {
      if (ctx.oidc.client) showPage(ctx, renderDeviceSuccess(toDisplayName(ctx.oidc.client)))
    }
  }
}

/** The descriptions of `oidc-provider` for a form without the token of the session. */
const FOREIGN_FORM = /^xsrf token invalid$|^could not find device form details$/

/** What is wrong with a code, by the error of `oidc-provider`. */
const problems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code that the program shows.',
  NotFoundError: 'There is no such code. Compare it with the one that the program shows.',
  ExpiredError: 'This code has expired. Start the sign-in of the program again.',
  AlreadyUsedError: 'This code was already used. Start the sign-in of the program again.'
}

/** `oidc-provider` keeps the token of its forms in the session of the browser. */
function csrfTokenOf({ oidc }: KoaContextWithOIDC): string {
  const { secret } = oidc.session?.state ?? {}
  return typeof secret === 'string' ? secret : ''
}

function toDisplayName({ clientId, clientName = '' }: Client): string {
  return sanitizeLine(clientName) || clientId
}

import type { ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'

type Session = InstanceType<Provider['Session']> & {
  /** The replaced identifier, under which a session is still stored. */
  oldId?: string
  destroyed?: boolean
}

/**
 * Keeps a browser signed in if the store fails or a response is lost. By itself, `oidc-provider` replaces the
 * identifier of a session after each login and consent: it sets the cookie, removes the stored session, and stores it
 * again. An error in between leaves the browser with a cookie that has no session, as does a lost response (ADR 105).
 */
export function keepSessions(provider: Provider, { Provider }: typeof import('oidc-provider')): void {
  const session: Session = provider.Session.prototype
  const { loginAccount, resetIdentifier, save, persist } = session
  const signedIn = new WeakSet<Session>()

  session.loginAccount = function (details) {
    // The consent after a login repeats its result.
    if (details.accountId !== this.accountId || details.loginTs !== this.loginTs) signedIn.add(this)
    loginAccount.call(this, details)
  }

  // Only a login adds to the rights of an identifier, which another person may have put into this browser.
  session.resetIdentifier = function () {
    if (signedIn.has(this)) resetIdentifier.call(this)
  }

  // An error page for devices writes to the session, which is not stored if the browser came without one.
  session.persist = async function () {
    return this.exp === undefined ? '' : persist.call(this)
  }

  session.save = async function (this: Session, ttl) {
    const { oldId } = this
    delete this.oldId
    const id = await save.call(this, ttl).catch((error) => {
      if (Provider.ctx) removeCookie(Provider.ctx.res, provider.cookieName('session'))
      // Prevents `oidc-provider` from storing the session again, whose cookie the browser does not get.
      this.destroyed = true
      throw error
    })
    if (oldId !== undefined) await this.adapter.destroy(oldId)
    return id
  }
}

/** Removes a cookie and its signature from a response, which leaves those of the browser in place. */
function removeCookie(response: ServerResponse, name: string): void {
  const lines = [response.getHeader('set-cookie') ?? []].flat().map(String)
  const others = lines.filter((line) => !line.startsWith(`${name}=`) && !line.startsWith(`${name}.sig=`))
  if (others.length > 0) response.setHeader('set-cookie', others)
  else response.removeHeader('set-cookie')
}

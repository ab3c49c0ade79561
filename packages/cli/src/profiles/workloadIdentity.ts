import { ApiError, type TokenSource } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import { InvalidResponseError, SignInError } from '@burgee/sign-in'
import type { CredentialOptions } from './credentialSettings.ts'

type WorkloadOptions = Pick<CredentialOptions, 'idToken' | 'trust' | 'idTokenRequestUrl' | 'idTokenRequestToken'>

interface WorkloadContext {
  readonly server: string
  readonly now: () => number
  readonly send: typeof fetch
}

/**
 * Returns the access tokens of a CI job: its identity token is exchanged at the first request (docs/guides/ci.md).
 * Nothing is stored.
 */
export function workloadTokens(options: WorkloadOptions, context: WorkloadContext): TokenSource {
  let cached: Promise<{ readonly token: string; readonly expiresAt: number }> | undefined
  return {
    getToken: async () => {
      const before = cached
      const held = before && (await before.catch(() => undefined))
      if (held && held.expiresAt > context.now() + MARGIN_MS) return held.token
      // Concurrent requests share one exchange.
      if (cached === before || cached === undefined) cached = exchange(options, context)
      return (await cached).token
    },
    // Each identity token can be exchanged once, so only a platform that issues others can replace the access token.
    invalidate: () => {
      cached = undefined
      return options.idToken === ''
    }
  }
}

const MARGIN_MS = 60_000

async function exchange(options: WorkloadOptions, { server, now, send }: WorkloadContext) {
  const subject = options.idToken || (await requestIdToken(options, server, send))
  const response = await send(`${server}/oauth/token`, {
    method: 'POST',
    // Another address must not receive the identity token.
    redirect: 'error',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: subject,
      ...(options.trust && { trust: options.trust })
    })
  })
  const body = parse(await response.text())
  if (response.status !== 200) throw new ApiError('token', response.status, body, response.headers)
  const { access_token: token, expires_in: seconds } = isRecord(body) ? body : {}
  if (typeof token === 'string' && typeof seconds === 'number') return { token, expiresAt: now() + seconds * 1000 }
  throw new InvalidResponseError(`${server}/oauth/token does not respond like a Burgee server`)
}

/** Requests an identity token for the server from GitHub Actions. */
async function requestIdToken(
  { idTokenRequestUrl, idTokenRequestToken }: WorkloadOptions,
  server: string,
  send: typeof fetch
): Promise<string> {
  const url = new URL(idTokenRequestUrl)
  url.searchParams.set('audience', server)
  const response = await send(url, {
    redirect: 'error',
    headers: { authorization: `Bearer ${idTokenRequestToken}` }
  })
  const body = parse(await response.text())
  if (response.status === 200 && isRecord(body) && typeof body.value === 'string') return body.value
  throw new SignInError(
    `the identity token of this job cannot be read (${response.status}): the job needs permissions: { id-token: write }`
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

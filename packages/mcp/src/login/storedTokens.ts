import { ApiError, type TokenSource } from '@burgee/contract/client'
import { None, refreshTokenGrant } from 'openid-client'
import { messageOf } from '../answers/failure.ts'
import { ToolError } from '../answers/toolError.ts'
import type { CredentialFile, SignedIn } from './credentialFile.ts'
import { discover, toldBy } from './discover.ts'
import { grantOf } from './grantOf.ts'
import { SignInError } from './signInError.ts'

interface Dependencies {
  readonly file: CredentialFile
  /** Address of the server, without a slash at its end. */
  readonly apiUrl: string
  readonly now: () => number
}

/** How long before its end a token is renewed. */
const MARGIN_MS = 60_000

/** The tokens of whoever is signed in, as the file has them at the moment; renewed before they end, and when one was refused. */
export function storedTokens({ file, apiUrl, now }: Dependencies): TokenSource {
  let last: string | undefined
  let refused: string | undefined

  const isGood = ({ accessToken, expiresAt }: SignedIn) => {
    return accessToken !== refused && Date.parse(expiresAt) - MARGIN_MS > now()
  }

  const renewed = (): Promise<SignedIn> => {
    return file.change(apiUrl, async (held) => {
      if (!held) throw nobody(apiUrl)
      // Another process, or another call of this one, was here before. A refresh token that is used twice ends the sign-in.
      if (isGood(held)) return held
      const tokens = await refreshTokenGrant(await discover(apiUrl, held.clientId, None()), held.refreshToken)
      return { ...held, ...grantOf(tokens, now()) }
    })
  }

  return {
    getToken: async () => {
      try {
        const held = await file.read(apiUrl)
        if (!held) throw nobody(apiUrl)
        const { accessToken } = isGood(held) ? held : await renewed()
        last = accessToken
        return accessToken
      } catch (error) {
        throw inToolTerms(toldBy(error, apiUrl), apiUrl)
      }
    },
    invalidate: () => {
      refused = last
      return refused !== undefined
    }
  }
}

function nobody(apiUrl: string): SignInError {
  return new SignInError(`nobody is signed in to ${apiUrl}: sign in with burgee-mcp login`)
}

/** A sign-in that has ended, as tools tell it; other failures as they are. */
function inToolTerms(error: unknown, apiUrl: string): unknown {
  if (error instanceof SignInError) return new ToolError('AUTHENTICATION_ERROR', error.message, { cause: error })
  if (!(error instanceof ApiError) || ![400, 401].includes(error.status)) return error
  const message = `the sign-in to ${apiUrl} has ended: ${messageOf(error)}; sign in again with burgee-mcp login`
  return new ToolError('AUTHENTICATION_ERROR', message, { cause: error })
}

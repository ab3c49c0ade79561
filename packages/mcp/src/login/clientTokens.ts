import { ApiError, type TokenSource } from '@burgee/contract/client'
import { ToolError } from '../results/toolError.ts'
import { isHtml, isMalformedResponse, messageOf } from '../results/toolFailure.ts'

/** Returns the tokens of the API client in the settings. Errors name the server, or the settings to check. */
export function clientTokens(tokens: TokenSource, apiUrl: string): TokenSource {
  const getToken: TokenSource['getToken'] = (operation) => {
    return tokens.getToken(operation).catch((error) => {
      throw toToolError(error, apiUrl)
    })
  }
  return { ...tokens, getToken }
}

function toToolError(error: unknown, apiUrl: string): unknown {
  const { status = 0, body } = error instanceof ApiError ? error : {}
  if (isMalformedResponse(error) || status === 404 || (status >= 400 && status < 500 && isHtml(body))) {
    return new ToolError('SCHEMA_VALIDATION_ERROR', `${apiUrl} does not respond like a Burgee server`, {
      cause: error
    })
  }
  if (status !== 400 && status !== 401) return error
  const message = `${messageOf(error)}: check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET`
  return new ToolError('AUTHENTICATION_ERROR', message, { cause: error })
}

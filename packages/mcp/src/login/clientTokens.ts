import { ApiError, type TokenSource } from '@burgee/contract/client'
import { isOfOtherForm, isPage, messageOf } from '../answers/failure.ts'
import { ToolError } from '../answers/toolError.ts'

/** The tokens of a client that the settings name; when there are none, it is told which server, or which settings, that is about. */
export function clientTokens(tokens: TokenSource, apiUrl: string): TokenSource {
  const getToken: TokenSource['getToken'] = (operation) => {
    return tokens.getToken(operation).catch((error) => {
      throw inToolTerms(error, apiUrl)
    })
  }
  return { ...tokens, getToken }
}

function inToolTerms(error: unknown, apiUrl: string): unknown {
  const { status = 0, body } = error instanceof ApiError ? error : {}
  if (isOfOtherForm(error) || status === 404 || (status >= 400 && status < 500 && isPage(body))) {
    return new ToolError('SCHEMA_VALIDATION_ERROR', `${apiUrl} does not answer as a Burgee server does`, {
      cause: error
    })
  }
  if (status !== 400 && status !== 401) return error
  const message = `${messageOf(error)}: check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET`
  return new ToolError('AUTHENTICATION_ERROR', message, { cause: error })
}

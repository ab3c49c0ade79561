import {
  describeSettings,
  type Environment,
  parseBoolean,
  parseText,
  type Settings,
  UsageError,
  type Values
} from '@burgee/kit/settings'

/** The credentials in the environment. Secrets have no flags, since other users of a computer can see those. */
export const credentialSettings = {
  clientId: {
    flag: false,
    help: 'Id of an API client. With its secret, commands act as this client.',
    parse: parseText
  },
  clientSecret: { flag: false, isSecret: true, help: 'Secret of the API client.', parse: parseText },
  token: { flag: false, isSecret: true, help: 'An access token, instead of a client or a sign-in.', parse: parseToken },
  idToken: {
    flag: false,
    isSecret: true,
    help: 'The identity token of a CI job, which is exchanged for an access token.',
    parse: parseText
  },
  idTokenRequestUrl: {
    flag: false,
    variable: 'ACTIONS_ID_TOKEN_REQUEST_URL',
    help: 'Where a job of GitHub Actions requests its identity token. GitHub sets it.',
    parse: (text: string) => (text === '' || URL.canParse(text) ? text : undefined)
  },
  idTokenRequestToken: {
    flag: false,
    isSecret: true,
    variable: 'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    help: 'The token for that request. GitHub sets it.',
    parse: parseToken
  },
  trust: {
    flag: false,
    help: 'Key of the trust that the CI job uses, if several accept its token.',
    parse: parseText
  },
  allowHttp: {
    flag: false,
    help: 'If true, send credentials over plain http. Only for a trusted network.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type CredentialOptions = Values<typeof credentialSettings>

/** Whether this is a CI job with an identity token, or one that can request it. */
export function isWorkload({
  idToken,
  idTokenRequestUrl,
  idTokenRequestToken
}: Pick<CredentialOptions, 'idToken' | 'idTokenRequestUrl' | 'idTokenRequestToken'>): boolean {
  return idToken !== '' || (idTokenRequestUrl !== '' && idTokenRequestToken !== '')
}

/** Returns the variable whose credentials are used instead of stored ones; `undefined` if none is set. */
export function credentialVariable(environment: Environment): string | undefined {
  const rows = describeSettings(credentialSettings, 'BURGEE_')
  const set = ALTERNATIVES.map((names) => {
    return rows
      .filter(({ name }) => names.some((one) => one === name))
      .map(({ variable, fileVariable }) =>
        [variable, fileVariable].find((one) => one !== undefined && environment[one])
      )
  }).find((variables) => variables.every((variable) => variable !== undefined))
  return set?.[0]
}

/** The variables that take precedence over stored credentials. */
const ALTERNATIVES: readonly (readonly (keyof typeof credentialSettings)[])[] = [
  ['token'],
  ['clientSecret'],
  ['idToken'],
  ['idTokenRequestUrl', 'idTokenRequestToken']
]

/** Asserts that a header can contain a token. Errors of `fetch` would show it. @throws {UsageError} */
function parseToken(text: string): string {
  if (text === '' || isHeaderText(text)) return text
  throw new UsageError('it should have only visible ASCII characters, on one line')
}

/** Whether a text is visible ASCII, as tokens in headers are. */
export function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text)
}

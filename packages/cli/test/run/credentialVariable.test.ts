import { expect, test } from 'vitest'
import { credentialVariable } from '../../src/profiles/credentialSettings.ts'

test.each([
  [{ BURGEE_TOKEN: 't', BURGEE_CLIENT_SECRET: 's' }, 'BURGEE_TOKEN'],
  [{ BURGEE_TOKEN_FILE: '/run/secrets/token' }, 'BURGEE_TOKEN_FILE'],
  [{ BURGEE_CLIENT_ID: 'c', BURGEE_CLIENT_SECRET_FILE: '/run/secrets/client' }, 'BURGEE_CLIENT_SECRET_FILE'],
  [{ BURGEE_ID_TOKEN: 'i' }, 'BURGEE_ID_TOKEN'],
  [
    { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 't' },
    'ACTIONS_ID_TOKEN_REQUEST_URL'
  ]
])('%j are credentials', (environment, expected) => {
  expect(credentialVariable(environment)).toBe(expected)
})

test.each([
  {},
  { BURGEE_TOKEN: '' },
  { BURGEE_CLIENT_ID: 'c' },
  { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com' }
])('%j are none', (environment) => {
  expect(credentialVariable(environment)).toBeUndefined()
})

import { ApiError } from '@burgee/contract/client'
import { describe, expect, test } from 'vitest'
import { bodyIssues, issueAt, issueIn } from '../../src/api/issues.ts'

const failed = (issues: readonly object[]) => new ApiError('createFeature', 400, { message: 'no', issues })

describe('the problem at a field', () => {
  test.each([
    [['name'], 'name should not be empty, got ""', 'Must not be empty'],
    [
      ['user', 'country'],
      'user.country should have at most 2 characters, got "Canada"',
      'Must have at most 2 characters'
    ],
    [['key'], 'key is reserved', 'key is reserved']
  ])('at %j repeats neither the name nor the value', (path, message, words) => {
    expect(issueAt(failed([{ in: 'body', path, message }]), path.join('.'))).toBe(words)
  })

  test('says what to do about a key that another feature has', () => {
    const error = new ApiError('createFeature', 409, {
      message: "Duplicate key 'a'",
      errorType: 'ERR_DUPE_FEATURE_KEY'
    })
    expect(issueAt(error, 'key')).toBe('Already taken: choose another one')
  })

  test('is complete in a list of all problems', () => {
    const message = 'email should be an e-mail address such as ada@example.com, got "nope"'
    const error = failed([{ in: 'body', path: ['email'], message }])
    expect(issueAt(error, 'email')).toBe('Must be an e-mail address such as ada@example.com')
    expect(bodyIssues(error)).toEqual([{ path: 'email', message }])
  })
})

test('the problem of an entry of a list stands at the field of the list', () => {
  const issues = [{ in: 'body', path: ['allowedNetworks', 1], message: 'should be a network' }]
  const error = new ApiError('updateSdkKey', 400, { message: 'no', issues })
  expect(issueIn(error, 'allowedNetworks')).toBe('Must be a network')
  expect(issueIn(error, 'expiresAt')).toBeUndefined()
  const sentences = new ApiError('updateSdkKey', 400, { message: ['allowedNetworks.0 should be a network'] })
  expect(issueIn(sentences, 'allowedNetworks')).toBe('Must be a network')
  expect(issueIn(null, 'expiresAt')).toBeUndefined()
})

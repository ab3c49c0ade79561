import { expect, test } from 'vitest'
import { currentConnection, reportResponse } from '../../src/api/connection.ts'

test('a session that has ended stays so until a request that was sent later succeeds', () => {
  const before = performance.now()
  reportResponse({ status: 401 }, before)
  expect(currentConnection().isSignedOut).toBe(true)
  reportResponse({ status: 200 }, before)
  expect(currentConnection().isSignedOut).toBe(true)
  reportResponse({ status: 200 }, performance.now())
  expect(currentConnection().isSignedOut).toBe(false)
})

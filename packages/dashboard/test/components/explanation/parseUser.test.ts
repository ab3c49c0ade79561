import { describe, expect, test } from 'vitest'
import { parseUser } from '../../../src/components/explanation/parseUser.ts'

describe('parseUser', () => {
  test.each([
    ['{"user_id":"ada","customData":{"plan":"pro"}}'],
    ['{"userId":"ada","custom_data":{"plan":"pro"}}'],
    ['{"targetingKey":"ada","customData":{"plan":"pro"}}'],
    ['{"user":{"user_id":"ada","customData":{"plan":"pro"}}}']
  ])('reads %s', (text) => {
    expect(parseUser(text)).toEqual({ type: 'user', user: { user_id: 'ada', customData: { plan: 'pro' } } })
  })

  test.each(['', '{', '[]', '"ada"', '{}', '{"user_id":" "}', '{"user_id":7}'])('refuses %j with a message', (text) => {
    expect(parseUser(text)).toMatchObject({ type: 'problem', message: expect.any(String) })
  })
})

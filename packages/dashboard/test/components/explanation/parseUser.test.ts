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

  test('reads the custom attributes of an evaluation context', () => {
    const context = { targetingKey: 'ada', country: 'CA', plan: 'pro', customData: { seats: 12 } }
    expect(parseUser(JSON.stringify(context))).toEqual({
      type: 'user',
      user: { user_id: 'ada', country: 'CA', customData: { plan: 'pro', seats: 12 } }
    })
  })

  test('names what evaluation does not read', () => {
    const text = '{"user_id":"ada","plan":"pro","app_version":"1.2.3","private_custom_data":{"a":1}}'
    expect(parseUser(text)).toMatchObject({ type: 'user', unused: ['plan'] })
  })

  test.each(['', '{', '[]', '"ada"', '{}', '{"user_id":" "}', '{"user_id":7}'])('refuses %j with a message', (text) => {
    expect(parseUser(text)).toMatchObject({ type: 'problem', message: expect.any(String) })
  })
})

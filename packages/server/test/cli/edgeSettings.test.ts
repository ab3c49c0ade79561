import { describe, expect, it, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'

describe('--edge', () => {
  const upstream = { BURGEE_UPSTREAM: 'https://flags.example.com' }
  const keys = { BURGEE_EDGE_KEYS: 'server-one,server-two' }

  test.each([
    [{}, 'BURGEE_UPSTREAM and BURGEE_EDGE_KEYS'],
    [upstream, 'BURGEE_EDGE_KEYS'],
    [keys, 'BURGEE_UPSTREAM']
  ])('with %j names what is missing', (environment, missing) => {
    expect(() => parseOptions(['--edge'], environment)).toThrow(new RegExp(`^--edge needs ${missing}$`))
  })

  it('refuses malformed keys', () => {
    const environment = { ...upstream, BURGEE_EDGE_KEYS: 'server-one,client-two' }
    expect(() => parseOptions(['--edge'], environment)).toThrow('BURGEE_EDGE_KEYS')
  })

  it('takes a key that is given twice once', () => {
    const environment = { ...upstream, BURGEE_EDGE_KEYS: 'server-one,server-two,server-one' }
    expect(parseOptions(['--edge'], environment).edgeKeys).toEqual(['server-one', 'server-two'])
  })
})

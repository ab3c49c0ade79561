import { expect, test } from 'vitest'
import { affectedShare } from '../../src/actions/affectedShare.ts'

const moved = (count: number, share: number) => ({ count, share }) as Parameters<typeof affectedShare>[0]['moved']

test('a share of affected users names the number and the kind of the users it is a share of', () => {
  const share = affectedShare({ moved: moved(125, 0.125), sampleSize: 1000, source: 'synthetic' })
  expect(share).toEqual({ share: '12.5%', base: 'of 1,000 synthetic users' })
  expect(affectedShare({ moved: moved(0, 0), sampleSize: 240, source: 'recent' })).toEqual({
    share: 'None',
    base: 'of 240 recent users'
  })
})
